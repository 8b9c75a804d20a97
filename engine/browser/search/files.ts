/** Loads the files of the index: scripts that hand over a value, so that a disk will do. */

declare global {
  interface Window {
    __docsteadSearch?: (name: string, value: unknown) => void;
  }
}

export interface Contents {
  d: string; // the folder of all other files
  s: [language: string, version: string, sections: number][];
  stop: string;
}

export class Files {
  private readonly waiting = new Map<string, (value: unknown) => void>();
  private readonly loaded = new Map<string, Promise<unknown>>();
  private contents?: Promise<Contents>;

  constructor(private readonly root: string) {
    window.__docsteadSearch = (name, value) => this.waiting.get(name)?.(value);
  }

  /** Which indexes there are. */
  index(): Promise<Contents> {
    this.contents ??= this.script("index", "index.js") as Promise<Contents>;
    this.contents.catch(() => (this.contents = undefined));
    return this.contents;
  }

  /** A file of the index, loaded once. */
  async load<T>(name: string): Promise<T> {
    const { d } = await this.index();
    let found = this.loaded.get(name);
    if (!found) {
      found = this.script(name, `${d}/${name}.js`);
      found.catch(() => this.loaded.delete(name));
      this.loaded.set(name, found);
    }
    return found as Promise<T>;
  }

  private script(name: string, path: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const done = () => {
        this.waiting.delete(name);
        script.remove();
      };
      this.waiting.set(name, (value) => {
        done();
        resolve(value);
      });
      script.onerror = () => {
        done();
        reject(new Error(`${path} cannot be loaded`));
      };
      script.fetchPriority = "high";
      script.src = `${this.root}_docs/search/${path}`;
      document.head.append(script);
    });
  }
}
