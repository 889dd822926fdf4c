import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { CodeCache } from './codeCache.ts';
import { type CompiledFile, writeCodeCache } from './writeCodeCache.ts';

interface LoadedModule {
  exports: unknown;
}

/** What a file of a built program is a function of, as with Node's own loader. */
type Body = (
  exports: unknown,
  require: NodeJS.Require,
  module: LoadedModule,
  filename: string,
  folder: string,
) => void;

/** One that is loaded: all but the code, which V8 makes until it is kept. */
interface LoadedScript extends Omit<CompiledFile, 'code'> {
  script: Script;
}

/** A file that changed longer ago than this is identified by its state alone, ms. */
const SETTLED_AFTER_MS = 2_000;

/**
 * Names the state of a file: it changes with each write. Null if a write in the same tick of the
 * file system's clock could leave it unchanged.
 */
function identifyFileState(file: string): string | null {
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  if (ctimeMs > Date.now() - SETTLED_AFTER_MS) return null;
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** `import()` for the files of the program, which the build has replaced by `require.import`. */
const importOutside = (id: string): Promise<unknown> => import(id);

const OPENING = '(function (exports, require, module, __filename, __dirname) { ';

/**
 * The modules of a built program, compiled with V8's code of an earlier run, because compilation is
 * most of a start. Texts of unchanged files come from the cache too. Node's own cache (22.1 and
 * later) is written at the end of the process, which a runner rarely reaches.
 */
export class CachedModules {
  readonly #root: string;
  readonly #cacheFile: string;
  readonly #known: CodeCache;
  readonly #scripts = new Map<string, LoadedScript>();
  readonly #modules = new Map<string, LoadedModule>();
  readonly #outside: NodeJS.Require;
  /** Whether the cache file lacks something of this run. */
  #isNew = false;

  /** `root`: folder of the program's package.json. */
  constructor(root: string, cacheFile: string) {
    this.#root = root;
    this.#cacheFile = cacheFile;
    this.#known = new CodeCache(cacheFile);
    this.#outside = createRequire(join(root, 'package.json'));
  }

  load(file: string): unknown {
    const loadedModule = this.#modules.get(file);
    if (loadedModule) return loadedModule.exports;
    const module: LoadedModule = { exports: {} };
    this.#modules.set(file, module);
    try {
      this.#compile(file)(module.exports, this.#createRequire(file), module, file, dirname(file));
    } catch (error) {
      this.#modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  #compile(file: string): Body {
    const name = relative(this.#root, file);
    const compiledFile = this.#readCompiled(name, file);
    const { source, version, text } = compiledFile ?? this.#read(file);
    const script = new Script(text, {
      filename: file,
      columnOffset: -OPENING.length,
      ...(compiledFile && { cachedData: compiledFile.code }),
    });
    // V8 refuses code of another version of V8.
    if (!compiledFile || script.cachedDataRejected) this.#isNew = true;
    this.#scripts.set(name, { script, source, version, text });
    return script.runInThisContext();
  }

  #readCompiled(name: string, file: string): CompiledFile | null {
    const keptSource = this.#known.readSource(name);
    if (!keptSource) return null;
    const version = identifyFileState(file);
    const isSame = version !== null && keptSource.version === version;
    // Another file, such as a copy, may have the same content.
    if (!isSame && crc32(readFileSync(file)) !== keptSource.source) return null;
    const compiledFile = this.#known.read(name);
    if (compiledFile && !isSame && version !== null) this.#isNew = true;
    return compiledFile && { ...compiledFile, version };
  }

  #read(file: string): Omit<CompiledFile, 'code'> {
    // First: a file that is written meanwhile gets another version.
    const version = identifyFileState(file);
    const bytes = readFileSync(file);
    const text = `${OPENING}${bytes.toString('utf8')}\n})`;
    return { source: crc32(bytes), version, text };
  }

  #createRequire(file: string): NodeJS.Require {
    const folder = dirname(file);
    const require = (id: string): unknown =>
      id.startsWith('.') ? this.load(join(folder, id)) : this.#outside(id);
    return Object.assign(require, this.#outside, { import: importOutside });
  }

  /**
   * Keeps what has been compiled until now for the next run, unless that run already has it.
   * Returns false if it could not be written; a runner works without it.
   */
  keep(): boolean {
    this.#known.close();
    if (!this.#isNew) return true;
    try {
      const compiled = [...this.#scripts].map(
        ([name, { script, source, version, text }]): [string, CompiledFile] => [
          name,
          { source, version, text, code: script.createCachedData() },
        ],
      );
      writeCodeCache(this.#cacheFile, new Map(compiled));
      this.#isNew = false;
      return true;
    } catch {
      return false;
    }
  }
}
