import { isMissingFile } from '../base/errors/findErrorCode.ts';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Largest file of refs or settings that is read here; git reads larger ones faster. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Branches with these names mean the same everywhere; `..` and the like are refused below. */
const PLAIN_NAME = /^refs\/[A-Za-z0-9._/+=#,%@-]+$/;
const SPECIAL_NAME = /\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[/.]$/;
const isPlainName = (ref: string): boolean => PLAIN_NAME.test(ref) && !SPECIAL_NAME.test(ref);

const isCommitId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text) && !/^0+$/.test(text);

/** A file that isomorphic-git might read differently from git. */
class NotPlain extends Error {}

interface PlainFile {
  text: string;
  identity: string;
}

/**
 * A regular file of ASCII text; null where it does not exist. Throws {@link NotPlain} for a link, a
 * folder, a pipe, a large file, and every error but that it does not exist.
 */
async function readAsciiFile(path: string): Promise<PlainFile | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (isMissingFile(error)) return null;
    throw new NotPlain();
  });
  if (file === null) return null;
  try {
    const fileStats = await file.stat({ bigint: true });
    if (!fileStats.isFile() || fileStats.size > MAX_FILE_BYTES) throw new NotPlain();
    const text = (await file.readFile()).toString('latin1');
    if (BigInt(text.length) !== fileStats.size || /[^\t\n -~]/.test(text)) throw new NotPlain();
    return {
      text,
      identity: [fileStats.dev, fileStats.ino, fileStats.size, fileStats.mtimeNs].join(':'),
    };
  } finally {
    await file.close();
  }
}

/** A line of a configuration without includes, quotes and continued lines. */
const PLAIN_SETTING = /^\s*(?:[#;].*|\[[\w.-]+(?: "[^"\\]*")?\]|[A-Za-z][\w-]*(?:\s*=[^"\\]*)?)?$/;

/** Whether git would open the repository, and its refs are files with SHA-1 ids. */
function isPlainConfig(text: string): boolean {
  if (/^\s*\[(?:include|extensions)/im.test(text)) return false;
  const version = /^\s*repositoryformatversion\b(?!\s*=\s*0\s*$)/im;
  return !version.test(text) && text.split('\n').every((line) => PLAIN_SETTING.test(line));
}

/** Whether it is as git writes it: sorted, each name once; a peeled id may follow an id. */
function isPlainPackedRefs(text: string): boolean {
  if (!text.endsWith('\n') && text !== '') return false;
  const lines = text.split('\n').slice(0, -1);
  let [last, canPeel] = ['', false];
  return lines.every((line, at) => {
    if (at === 0 && line.startsWith('# pack-refs with:')) return true;
    if (canPeel && /^\^[0-9a-f]{40}$/.test(line)) {
      canPeel = false;
      return true;
    }
    const [id = '', name = '', ...more] = line.split(' ');
    const isInOrder = last < name;
    [last, canPeel] = [name, true];
    return isInOrder && more.length === 0 && isCommitId(id) && isPlainName(name);
  });
}

/** Gives isomorphic-git the files of one reading and nothing else. It can write nothing. */
class PlainRefFiles {
  readonly #gitDir: string;
  readonly #ref: string;
  #packed: PlainFile | null = null;
  #isPacked = false;

  constructor(gitDir: string, ref: string) {
    this.#gitDir = gitDir;
    this.#ref = ref;
  }

  readonly #refuse = async (): Promise<never> => {
    throw new NotPlain();
  };
  readonly promises = {
    readFile: async (path: string): Promise<string> => {
      const file = await this.#read(path);
      if (file !== null) return file;
      throw Object.assign(new Error('It does not exist.'), { code: 'ENOENT' });
    },
    stat: async (path: string) => (path === this.#gitDir ? stat(path) : this.#refuse()),
    lstat: this.#refuse,
    readdir: this.#refuse,
    readlink: this.#refuse,
    writeFile: this.#refuse,
    mkdir: this.#refuse,
    rmdir: this.#refuse,
    unlink: this.#refuse,
    symlink: this.#refuse,
  };

  async #read(path: string): Promise<string | null> {
    if (path === `${this.#gitDir}/packed-refs`) {
      this.#packed = await readAsciiFile(path);
      if (!isPlainPackedRefs(this.#packed?.text ?? '')) throw new NotPlain();
      return this.#packed?.text ?? null;
    }
    if (path !== `${this.#gitDir}/${this.#ref}`) throw new NotPlain();
    const file = await readAsciiFile(path);
    this.#isPacked = file === null;
    // An empty file, as a crash leaves it, would count as missing.
    if (file !== null && !isCommitId(file.text.replace(/\n$/, ''))) throw new NotPlain();
    return file?.text ?? null;
  }

  async isPlainRepository(): Promise<boolean> {
    const [head, config, refs] = await Promise.all([
      readAsciiFile(join(this.#gitDir, 'HEAD')),
      readAsciiFile(join(this.#gitDir, 'config')),
      stat(join(this.#gitDir, 'refs')),
    ]);
    const target = (head?.text ?? '').replace(/\n$/, '').replace(/^ref: (?=refs\/)/, '');
    const isPlainHead = isCommitId(target) || isPlainName(target);
    return isPlainHead && refs.isDirectory() && isPlainConfig(config?.text ?? '');
  }

  /** False: git has packed the refs while isomorphic-git was reading. */
  async isUnchanged(): Promise<boolean> {
    if (!this.#isPacked) return true;
    const now = await readAsciiFile(`${this.#gitDir}/packed-refs`);
    return now?.identity === this.#packed?.identity;
  }
}

/**
 * The commit of a branch, read by isomorphic-git without a process, in a few files. Undefined
 * wherever git has to be asked: the branch does not exist, or the library could read something in
 * another way than git does (symbolic refs, links, damaged and unusual files, names that are not
 * ASCII, reftables, SHA-256, repositories with extensions).
 *
 * @param gitDir where the refs are: `gitDir` of a Repository
 * @param ref full name, `refs/heads/main`
 */
export async function readPlainRef(gitDir: string, ref: string): Promise<string | undefined> {
  if (!ref.startsWith('refs/heads/') || !isPlainName(ref)) return undefined;
  const fs = new PlainRefFiles(gitDir, ref);
  try {
    if (!(await fs.isPlainRepository())) return undefined;
    // Loaded at first use: it is large, and most starts open no repository.
    const { default: library } = await import('isomorphic-git');
    // One step only: git follows symbolic refs.
    const resolvedRef = await library.resolveRef({ fs, gitdir: gitDir, ref, depth: 1 });
    return isCommitId(resolvedRef) && (await fs.isUnchanged()) ? resolvedRef : undefined;
  } catch {
    // Git reports the cause better.
    return undefined;
  }
}
