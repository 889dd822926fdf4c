import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { type CompiledFile, readCodeCache, writeCodeCache } from './codeCacheFile.ts';

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

const OPENING = '(function (exports, require, module, __filename, __dirname) { ';

/**
 * The modules of a built program, compiled with what V8 kept of an earlier run: a start is mostly
 * compilation. Node has such a cache from 22.1 on, and it keeps what was compiled until the end of
 * the process, which a runner reaches rarely.
 */
export class CachedModules {
  readonly #root: string;
  readonly #cacheFile: string;
  readonly #known: ReadonlyMap<string, CompiledFile>;
  readonly #scripts = new Map<string, { script: Script; source: number }>();
  readonly #modules = new Map<string, LoadedModule>();
  readonly #outside: NodeJS.Require;
  /** Whether something had to be compiled that the file does not hold. */
  #isNew = false;

  /** `root`: folder of the program's package.json. */
  constructor(root: string, cacheFile: string) {
    this.#root = root;
    this.#cacheFile = cacheFile;
    this.#known = readCodeCache(cacheFile);
    this.#outside = createRequire(join(root, 'package.json'));
  }

  /** What a file of the program exports. */
  load(file: string): unknown {
    const known = this.#modules.get(file);
    if (known) return known.exports;
    const module: LoadedModule = { exports: {} };
    this.#modules.set(file, module);
    try {
      this.#compile(file)(module.exports, this.#requireOf(file), module, file, dirname(file));
    } catch (error) {
      this.#modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  #compile(file: string): Body {
    const bytes = readFileSync(file);
    const source = crc32(bytes);
    const name = relative(this.#root, file);
    const kept = this.#known.get(name);
    const cachedData = kept?.source === source ? kept.code : undefined;
    const script = new Script(`${OPENING}${bytes.toString('utf8')}\n})`, {
      filename: file,
      columnOffset: -OPENING.length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    });
    // V8 refuses what another version of it made.
    if (!cachedData || script.cachedDataRejected) this.#isNew = true;
    this.#scripts.set(name, { script, source });
    return script.runInThisContext();
  }

  #requireOf(file: string): NodeJS.Require {
    const folder = dirname(file);
    const require = (id: string): unknown =>
      id.startsWith('.') ? this.load(join(folder, id)) : this.#outside(id);
    return Object.assign(require, this.#outside);
  }

  /**
   * Keeps what has been compiled by now for the next run; nothing where that run has it already. A
   * runner works without: `false` where it could not be kept.
   */
  keep(): boolean {
    if (!this.#isNew) return true;
    try {
      const compiled = [...this.#scripts].map(
        ([name, { script, source }]): [string, CompiledFile] => [
          name,
          { source, code: script.createCachedData() },
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
