import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

/** An entry by its raw path (a byte each character): mode, and id of blob or submodule. */
export type RawEntries = Map<string, { mode: string; oid: string }>;

/**
 * Objects of a repository written and read as files, without git, which would not write every name
 * and mode that is out in the world.
 */
export class LooseObjects {
  readonly #dir: string;

  constructor(gitDir: string) {
    this.#dir = join(gitDir, 'objects');
  }

  write(type: 'blob' | 'tree' | 'commit', body: Uint8Array): string {
    const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const oid = createHash('sha1').update(bytes).digest('hex');
    const file = this.#toPath(oid);
    if (existsSync(file)) return oid;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(bytes, { level: 1 }));
    return oid;
  }

  read(oid: string): Buffer {
    const bytes = inflateSync(readFileSync(this.#toPath(oid)));
    return bytes.subarray(bytes.indexOf(0) + 1);
  }

  blob(text: string): string {
    return this.write('blob', Buffer.from(text, 'latin1'));
  }

  /** A tree with all folders that the paths need. */
  tree(entries: RawEntries): string {
    const here = new Map<string, { mode: string; oid: string }>();
    const below = new Map<string, RawEntries>();
    for (const [path, entry] of entries) {
      const slash = path.indexOf('/');
      if (slash === -1) here.set(path, entry);
      else {
        const folder = below.get(path.slice(0, slash)) ?? new Map();
        folder.set(path.slice(slash + 1), entry);
        below.set(path.slice(0, slash), folder);
      }
    }
    for (const [name, folder] of below) here.set(name, { mode: '40000', oid: this.tree(folder) });
    const sortKey = ([name, { mode }]: [string, { mode: string }]): Buffer =>
      Buffer.from(mode === '40000' ? `${name}/` : name, 'latin1');
    const sorted = [...here].sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)));
    return this.write(
      'tree',
      Buffer.concat(
        sorted.flatMap(([name, { mode, oid }]) => [
          Buffer.from(`${mode} ${name}\0`, 'latin1'),
          Buffer.from(oid, 'hex'),
        ]),
      ),
    );
  }

  commit(tree: string, ...parents: string[]): string {
    const lines = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      'author Ada <ada@example.test> 1767225600 +0000',
      'committer Ada <ada@example.test> 1767225600 +0000',
    ];
    return this.write('commit', Buffer.from(`${lines.join('\n')}\n\nA commit\n`));
  }

  entries(tree: string, prefix = ''): RawEntries {
    const entries: RawEntries = new Map();
    for (const [name, { mode, oid }] of this.#children(tree)) {
      const path = `${prefix}${name}`;
      if (mode === '40000') for (const one of this.entries(oid, `${path}/`)) entries.set(...one);
      else entries.set(path, { mode, oid });
    }
    return entries;
  }

  folders(tree: string): Set<string> {
    const trees = new Set([tree]);
    for (const { mode, oid } of this.#children(tree).values())
      if (mode === '40000') for (const one of this.folders(oid)) trees.add(one);
    return trees;
  }

  modes(tree: string): string[] {
    return [...this.#children(tree).values()].map(({ mode }) => mode);
  }

  readTree(commit: string): string {
    return /^tree ([0-9a-f]{40})$/m.exec(this.read(commit).toString('latin1'))?.[1] ?? '';
  }

  #children(tree: string): RawEntries {
    const bytes = this.read(tree);
    const children: RawEntries = new Map();
    for (let at = 0; at < bytes.length; ) {
      const space = bytes.indexOf(0x20, at);
      const end = bytes.indexOf(0, space);
      children.set(bytes.toString('latin1', space + 1, end), {
        mode: bytes.toString('latin1', at, space),
        oid: bytes.toString('hex', end + 1, end + 21),
      });
      at = end + 21;
    }
    return children;
  }

  #toPath(oid: string): string {
    return join(this.#dir, oid.slice(0, 2), oid.slice(2));
  }
}
