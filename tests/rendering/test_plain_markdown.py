"""Pages without code, which become HTML without a program."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from docstead.markup.rendered import RenderedPage

# An expression that shows nothing: the same page becomes a program then.
_AS_PROGRAM = "{null}\n\n"

CASES = {
    "headings": "# One\n\n## Two `a-b` & *more*\n\n## Two a-b & more\n\n###### «Ü» [x](/y)\n\n"
    "## !?\n",
    "heading with attributes": "## Two {#other}\n\n## Three\n",
    "heading over two lines": "Two *words*\n===\n\nThree\n---\n",
    "text": 'It\'s "so" & > x \\< &nbsp; &lt;b&gt; &amp;gt; *a* '
    "**b** ~~c~~ _d_\\\nnext  \nline\n\n***\n",
    "code": '`a-b` `a b-c` `"<x>"` `-` `a-very-long-name-that-is-more-than-24` ``a`-b`` `&lt;-` '
    "`ACME_SCRIPT_HOSTS` `a_b` `acme_<b>_long_name` `two words_of_code` "
    "`api.examples.autogenerate` `hideFooterPagination` `Dict[fixed_list<text, 3>]` `JSONPath`\n",
    "links": "[a](/b 'it\"s') [c](d.md#e) [f](https://g.example/?h=1&i='j') "
    "www.k.example l@m.example\n"
    '[n]() [o](javascript:alert(1)) [p][q]\n\n[q]: ../r "s\'s"\n',
    "long links": "https://r.example/guides/keys/first-steps?tab=keys&view=1 "
    '[`code`](https://s.example) [see www.t.example/a_long/path/"of"/parts/1.2](u "v") '
    "[twenty-five words of text only](w)\n",
    "titles with brackets": '[a](/b "x > y < z")\n',
    "pictures": "![](/a.png) ![\"b\" & 'c'](c.png 'd') ![e > f](/g.png) "
    "[![h](/i.png)](https://j.example)\n",
    "fences": '```js {1,2} title="a > b"\nconst a = "<b>" && \'{c}\';\n```\n\n~~~\nplain\n\n~~~\n\n'
    "- x\n\n"
    "  ```sh\n  y\n  ```\n",
    "empty fence": "```\n```\n",
    "drawn fences": "```mermaid\ngraph TD; A-->B\n```\n\n```math\nx^2\n```\n",
    "formulas": "Costs $5 and $6. $\\frac{1}{2}$\n\n$$\nx\n$$\n",
    "lists": "3. a\n4. b\n\n   c\n\n- [ ] d\n- [x] e\n  - f\n",
    "quotes": '> "a"\n>\n> - b\n',
    "callouts": "> [!NOTE]\n> a\n\n> [!other] b\n",
    "tables": "| a-b | `c-d` | e |\n| :- | :-: | - |\n"
    '| text of more than thirty-two characters | "x" & **y** | |\n| [f](/g) `h-i` | \\| | !|\n'
    "| `ACME_PLAYGROUND_REQUESTS_PER_MINUTE` | | |\n",
    "footnotes": "a[^1]\n\n[^1]: b\n",
    "components in components": """\
Before.

<Steps titleSize='h3'>
  <Step title='A `b`' id='x'>
    ## In a *step*

    ```js
    a
    ```

    - x

      <Note>y `a-b`</Note>

      ```
      z
      ```
  </Step>

  <Step title="B" stepNumber={3}>
    c
  </Step>
</Steps>

## In a *step*

<Tabs defaultTabIndex={1}>
  <Tab title='T'>
    ### T
  </Tab>
  Text
  <Tab title='U' icon='gear'>
    u
  </Tab>
</Tabs>
""",
    "components in text": """\
A <Tooltip tip='*x*' cta='y' href='/z'>b **c**</Tooltip>, <Icon icon='gear' /> &
<Badge color='red'>d `e-f`</Badge> "q".

## Of <Badge>g</Badge> <Icon icon='x' />

| a | b |
| - | - |
| <Icon icon='y' /> text of more than thirty-two | <br /> |

<Tooltip tip='z'>

  only *one*

</Tooltip>
""",
    "cards": """\
<CardGroup cols={2}>
  <Card title='A' href='/b'>
    c [d](/e)
  </Card>
  <Card href='f' icon='gear'>
    > g
  </Card>
  <Card href='/h'>
    `i` *j*
  </Card>
  <Card href='/k'>
    ![l](/m.png)
  </Card>
  <Card href='/n'></Card>
  <Card title='O' href='/p'>
    ### Q

    ```
    r
    ```
  </Card>
  <Card href='/u'>
    ```sh
    v &amp;
      --w "x"
    ```
  </Card>
  <Card href='/y'>
    > z

    ```
    z
    ```
  </Card>
</CardGroup>
<Tile href='/s'>
  ![](/t.png)
</Tile>
""",
    "fields": """\
<ParamField body='a' type='string' default={{x: [1, 'y', {z: null}], "w": true}} required>
  b

  <Expandable title='c' defaultOpen={false}>
    <ResponseField name='d' post={['e', `f`]}>
      g
    </ResponseField>
  </Expandable>
</ParamField>
""",
    "code in components": """\
<CodeGroup dropdown>

```sh a
b
```

```js c
d
```

</CodeGroup>

<RequestExample>
```sh
e
```
</RequestExample>

<Prompt description='*f*'>g</Prompt>
""",
    "other components": """\
<Frame caption='*a*'>
  <img src='b.png' noZoom />

  <video autoPlay src='/c.mp4' />
</Frame>

<Update label='d' tags={['e']} description='f'>
  ## G

  h
</Update>

<AccordionGroup>
  <Accordion title='i'>
    j
  </Accordion>
</AccordionGroup>

<View title='k'>
  ## G
</View>

<Visibility for='agents'>
  l
</Visibility>

<Heading level={3}>m *n*</Heading>

<Panel>
  o
</Panel>
""",
    "elements of authors": """\
<div className='a' style={{color: 'red', 'margin-top': 2}}>
  **b** <sup>2</sup>

  <button>
    c
  </button>
</div>

<details>
  <summary>e</summary>
  f
</details>

<a href='g'>h <b>i</b></a> <kbd>"j"</kbd> <ds-part data-n="0">k</ds-part>

<iframe src='javascript:alert(1)' />

<a href='javascript:alert(1)'>m</a>
""",
    "elements with looks of their own": """\
<p>a <b>b</b></p>

<h2>c</h2>

<code>d-e</code>
""",
    "comment at the end": """\
a

{/* b */}
""",
    "comments": """\
{/* a */}

b {/* c */} d

<Note>
  {/* e */}
  f
</Note>
""",
    "code of pages": """\
<Note>{1 + 1}</Note>

<Card title={<b>a</b>} />

<Unknown>b</Unknown>

<Card {...{}} />

<Tree>
  - c/
    - d
</Tree>

<Note title={'e' + 'f'} />
""",
    "unusual marks": """\
<Note>\ue002f0\ue002 \ue002i0\ue002</Note>

## A
""",
    "other characters": "é “x” \U0001f600 `ü-ü` [ä](/ö?ü=é)\n\n## Überschrift 日本\n",
}


@pytest.fixture(scope="module")
def pages(render_pages) -> dict[str, RenderedPage]:
    """Each case twice: as it stands, and with an expression."""
    sources = dict[str, str]()
    for number, body in enumerate(CASES.values()):
        sources[f"a/{number}"] = body
        sources[f"a/{number}-program"] = _AS_PROGRAM + body
    found: dict[str, RenderedPage] = render_pages(sources)
    return found


@pytest.mark.parametrize("name", CASES)
def test_markdown_reads_as_its_program_does(pages: dict[str, RenderedPage], name: str) -> None:
    number = list(CASES).index(name)
    plain, program = pages[f"a/{number}"], pages[f"a/{number}-program"]
    assert plain.html.strip() == program.html.strip()
    assert plain.headings == program.headings
    assert plain.sections == program.sections
    assert plain.features == program.features
    assert [link[0] for link in plain.link_lines] == [link[0] for link in program.link_lines]
    assert not plain.failed


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("```sh\na &\n  b\n```", "a & b"),
        ("C.\n\n```sh\na\n```", "C. a"),
        ("```sh\n" + "long-word " * 12 + "\n```", "long-word " * 9 + "long-word…"),
        ("```\n" + "a" * 120 + "\n```", "a" * 100 + "…"),
        ("```\n```", "First steps"),
        ("<Frame>![The *editor* & more](/a.png)</Frame>", "The editor & more"),
        ("<Frame>\n\n![A](/a.png) ![B](/b.png)\n\n</Frame>", "A B"),
        ("<Frame><img src='/a.png' alt='A \"graph\"' /></Frame>", 'A "graph"'),
        ("<Frame caption='C'>![](/a.png)</Frame>", "First steps"),
    ],
)
def test_a_card_without_title_is_named_by_its_content(
    render_pages, content: str, name: str
) -> None:
    body = f"<Card href='/guides/first-steps#a'>\n{content}\n</Card>"
    for page in render_pages({"a": body, "b": _AS_PROGRAM + body}).values():
        [link] = lxml_html.fromstring(page.html).cssselect(".ds-card-link")
        assert link.get("aria-label") == name


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("/guides/index", "Guides"),
        ("api_keys/", "Api keys"),
        ("https://a.example/b-c", "a.example/b-c"),
    ],
)
def test_a_link_without_words_is_named_by_its_target(render_pages, href: str, name: str) -> None:
    card, tile = f"<Card href='{href}'>![](/a.png)</Card>", f"<Tile href='{href}' />"
    for page in render_pages({"a": card, "b": tile}).values():
        [link] = lxml_html.fromstring(page.html).cssselect("a")
        assert link.get("aria-label") == name


def test_long_names_in_code_can_be_broken_and_are_found_whole(
    pages: dict[str, RenderedPage],
) -> None:
    code, table = (pages[f"a/{list(CASES).index(name)}"] for name in ("code", "tables"))
    assert "<code>ACME_<wbr/>SCRIPT_<wbr/>HOSTS</code> <code>a_b</code>" in code.html
    assert "<code>api.<wbr/>examples.<wbr/>autogenerate</code>" in code.html
    assert "<code>hide<wbr/>Footer<wbr/>Pagination</code>" in code.html
    assert "<code>Dict[<wbr/>fixed_<wbr/>list&lt;<wbr/>text, 3>]</code>" in code.html
    assert "<code>JSONPath</code>" in code.html
    assert "`ACME_SCRIPT_HOSTS`" in code.sections[0].markdown
    name = (
        '<code class="ds-wide">ACME_<wbr/>PLAYGROUND_<wbr/>REQUESTS_<wbr/>PER_<wbr/>MINUTE</code>'
    )
    assert f'<td style="text-align:left;">{name}</td>' in table.html  # no text to read


def test_urls_that_links_show_can_be_broken_after_their_parts(
    pages: dict[str, RenderedPage],
) -> None:
    html = pages[f"a/{list(CASES).index('long links')}"].html
    url = (
        "https://r.<wbr/>example/<wbr/>guides/<wbr/>keys/<wbr/>first-steps?<wbr/>tab=keys"
        "&amp;<wbr/>view=1"
    )
    assert f'rel="noopener" class="ds-wide">{url}</a>' in html
    assert "see www.<wbr/>t.<wbr/>example/<wbr/>a_long/<wbr/>path/&quot;of&quot;/parts/" in html
    assert ">twenty-five words of text only</a>" in html
