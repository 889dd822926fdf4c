import type { FileHandle } from 'node:fs/promises';
import { openFileWithin } from '../../base/system/files/openFolder.ts';

/** Most bytes read of a file in the checkout: the agent may have made it of any size. */
const MAX_FILE_BYTES = 262_144;
const MAX_COMMANDS = 6;

/** What svc finds out about a checkout by reading a few of its files, without running anything. */
export interface CheckoutFacts {
  /** Checked-out branch; null = none, or unknown. */
  branch: string | null;
  /** Commands that check the work, such as `npm test`; empty = none found. */
  checks: string[];
}

type ReadCheckoutFile = (...parts: string[]) => Promise<string | null>;

async function readFileStart(file: FileHandle): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Reads a text file of the checkout; null if it is not a readable file. */
const createCheckoutReader =
  (checkout: string): ReadCheckoutFile =>
  async (...parts) => {
    try {
      await using file = await openFileWithin(checkout, parts);
      return await readFileStart(file);
    } catch {
      return null;
    }
  };

const BRANCH = /^ref: refs\/heads\/([\w./@+#-]{1,200})\s*$/;
/** A name that is safe to show in a command: the files come from the repository. */
const SCRIPT = /^[\w:.-]{1,40}$/;
const CHECKING_SCRIPT = /^(?:test|lint|check|types?|typecheck|type-check|build)$/;
/** What `npm init` writes if there are no tests. */
const NO_TEST = /no test specified/;

const RUNNERS: readonly (readonly [lockFile: string, run: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun run'],
];

const parsePackageScripts = (text: string): Record<string, unknown> => {
  try {
    const { scripts } = Object(JSON.parse(text));
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
};

async function listPackageChecks(read: ReadCheckoutFile): Promise<string[]> {
  const text = await read('package.json');
  if (text === null) return [];
  const names = Object.entries(parsePackageScripts(text))
    .filter(([, script]) => typeof script === 'string' && !NO_TEST.test(script))
    .map(([name]) => name)
    .filter((name) => SCRIPT.test(name) && CHECKING_SCRIPT.test(name));
  if (names.length === 0) return [];
  const locks = await Promise.all(RUNNERS.map(([file]) => read(file)));
  const run = RUNNERS[locks.findIndex((lock) => lock !== null)]?.[1] ?? 'npm run';
  return names.map((name) =>
    name === 'test' && run === 'npm run' ? 'npm test' : `${run} ${name}`,
  );
}

async function listMakefileChecks(read: ReadCheckoutFile): Promise<string[]> {
  const text = (await read('Makefile')) ?? '';
  return ['test', 'check', 'lint']
    .filter((target) => new RegExp(`^${target}:`, 'm').test(text))
    .map((target) => `make ${target}`);
}

/** Files whose presence shows how a project is tested. */
const BY_FILE: readonly (readonly [file: string, command: string])[] = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pytest.ini', 'pytest'],
  ['pyproject.toml', 'pytest'],
  ['tox.ini', 'tox'],
  ['pom.xml', 'mvn test'],
  ['gradlew', './gradlew test'],
];

/** A `pyproject.toml` alone does not prove pytest. */
const isProofOfTests = (file: string, text: string | null): boolean =>
  text !== null && (file !== 'pyproject.toml' || text.includes('pytest'));

async function listChecksByFile(read: ReadCheckoutFile): Promise<string[]> {
  const texts = await Promise.all(BY_FILE.map(([file]) => read(file)));
  return BY_FILE.filter(([file], at) => isProofOfTests(file, texts[at] ?? null)).map(
    ([, run]) => run,
  );
}

/** Never rejects: what cannot be read is unknown. */
export async function collectCheckoutFacts(checkout: string): Promise<CheckoutFacts> {
  const read = createCheckoutReader(checkout);
  const [head, ...checkLists] = await Promise.all([
    read('.git', 'HEAD'),
    listPackageChecks(read),
    listMakefileChecks(read),
    listChecksByFile(read),
  ]);
  return {
    branch: BRANCH.exec(head ?? '')?.[1] ?? null,
    checks: [...new Set(checkLists.flat())].slice(0, MAX_COMMANDS),
  };
}
