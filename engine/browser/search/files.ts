/**
 * Loads the files of the index. They are scripts that pass a value, so that pages opened from a disk can load them.
 * Hosts that join files get one request for all files of a step.
 */

declare global {
  interface Window {
    __docsteadSearch?: (name: string, value: unknown) => void;
  }
}

/** Starts of the files of the index of one language and version. */
export interface Manifest {
  n: number; // sections
  t: string; // the beginning of the first word of each part of the vocabulary
  r: number[]; // the sections before each file of records, counted from the file before it
  w: string; // the first letter of each file of likely words
}

export interface Contents {
  d: string; // the folder of all other files
  s: [language: string, version: string, manifest: Manifest][];
  stop: string;
  joins?: 1; // the host joins files
}

interface Reader {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

const MOST_JOINED = 24; // hosts join no more (outputs/search_bundle/joined.py)

export class Files {
  private readonly readers = new Map<string, Reader>();
  private readonly loaded = new Map<string, Promise<unknown>>();
  private requested: string[] = [];
  private contents?: Promise<Contents>;

  constructor(private readonly root: string) {
    window.__docsteadSearch = (name, value) => this.readers.get(name)?.resolve(value);
  }

  /** Return the list of indexes. */
  index(): Promise<Contents> {
    this.contents ??= this.read("index", () => this.fetch(["index"], "")) as Promise<Contents>;
    this.contents.catch(() => (this.contents = undefined));
    return this.contents;
  }

  /** A file of the index, loaded once. */
  async load<T>(name: string): Promise<T> {
    const { d, joins } = await this.index();
    let found = this.loaded.get(name);
    if (!found) {
      found = this.read(name, () => (joins ? this.want(name, `${d}/`) : this.fetch([name], `${d}/`)));
      found.catch(() => this.loaded.delete(name));
      this.loaded.set(name, found);
    }
    return found as Promise<T>;
  }

  private read(name: string, start: () => void): Promise<unknown> {
    const value = new Promise((resolve, reject) => this.readers.set(name, { resolve, reject }));
    start();
    return value;
  }

  /** Fetches a file together with those that are requested in the same turn. */
  private want(name: string, folder: string): void {
    if (this.requested.push(name) > 1) return;
    setTimeout(() => {
      const names = this.requested;
      this.requested = [];
      for (let at = 0; at < names.length; at += MOST_JOINED) this.fetch(names.slice(at, at + MOST_JOINED), folder);
    });
  }

  private fetch(names: string[], folder: string): void {
    const script = document.createElement("script");
    const path = `${folder}${names.join(".")}.js`;
    const done = () => {
      script.remove();
      for (const name of names) {
        this.readers.get(name)?.reject(new Error(`${path} cannot be loaded`)); // unless it was read
        this.readers.delete(name);
      }
    };
    script.onload = done;
    script.onerror = done;
    script.fetchPriority = "high";
    script.src = `${this.root}_docs/search/${path}`;
    document.head.append(script);
  }
}

/** The files that one query reads. */
export class FilesOfQuery {
  private readonly names = new Set<string>();

  constructor(private readonly files: Pick<Files, "load">) {}

  get count(): number {
    return this.names.size;
  }

  load<T>(name: string): Promise<T> {
    this.names.add(name);
    return this.files.load<T>(name);
  }
}
