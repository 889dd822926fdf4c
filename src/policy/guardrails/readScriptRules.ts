import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Compile } from 'typebox/compile';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { GUARDRAIL_MOMENTS, MAX_SCRIPT_MS } from '../../base/agents/guardrails.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { GuardrailScript } from '../../contract/schema/policy/guardrail.ts';
import type { Rule } from './rule.ts';
import { type ScriptFolder, readScriptFolder } from './readScriptFolder.ts';

/** Largest script or description, bytes. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Most scripts; one more refuses everything, since a rule must not lapse unnoticed. */
const MAX_SCRIPTS = 50;

export interface ScriptRule extends Omit<Rule, 'test' | 'redact' | 'limit' | 'source'> {
  source: 'script';
  file: string;
  /** sha256 of the script; null if unreadable. */
  hash: string | null;
  timeoutMs: number;
  /** Why it cannot be run and counts as failing; null = it can. */
  problem: string | null;
}

const compileScriptSchema = makeOnFirstUse(() => Compile(GuardrailScript));

/** A script that others could change decides nothing. */
function findOwnerProblem(what: string, stats: Stats, uid: number | undefined): string | null {
  if (uid !== undefined && stats.uid !== uid && stats.uid !== 0)
    return `${what} belongs to another user. Run: chown ${uid} on it`;
  if ((stats.mode & 0o022) !== 0) return `${what} can be changed by others. Run: chmod go-w on it`;
  return null;
}

async function readOwnedScriptFile(file: string, uid: number | undefined): Promise<string> {
  // Without O_NONBLOCK a pipe in place of the file would block every question.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${basename(file)} is not a regular file`);
    const problem = findOwnerProblem(basename(file), stats, uid);
    if (problem !== null) throw new Error(problem);
    if (stats.size > MAX_FILE_BYTES)
      throw new Error(`${basename(file)} is larger than ${MAX_FILE_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Replaces a broken description: always asked, and refuses. */
const BROKEN: GuardrailScript = {
  when: [...GUARDRAIL_MOMENTS],
};

async function readScriptDescription(
  dir: string,
  id: string,
  uid: number | undefined,
): Promise<{ said: GuardrailScript; problem: string | null }> {
  try {
    const description: unknown = JSON.parse(
      await readOwnedScriptFile(join(dir, `${id}.json`), uid),
    );
    const valid = compileScriptSchema();
    if (valid.Check(description)) return { said: description, problem: null };
    const [error] = valid.Errors(description);
    const where = error?.instancePath ? ` at ${error.instancePath}` : '';
    return { said: BROKEN, problem: `${id}.json is not valid${where}: ${error?.message}` };
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `${id}.json is missing beside it; write one, such as {"when": ["write.before"]}`
        : `${id}.json cannot be used: ${toErrorMessage(error)}`;
    return { said: BROKEN, problem: why };
  }
}

async function readScriptRule(
  dir: string,
  id: string,
  names: readonly string[],
  uid: number | undefined,
): Promise<ScriptRule> {
  const [name = id] = names;
  const file = join(dir, name);
  const { said, problem: descriptionProblem } = await readScriptDescription(dir, id, uid);
  const several =
    names.length > 1
      ? `${names.map((one) => join(dir, one)).join(' and ')} are both its script; keep one, or rename one`
      : null;
  let [hash, problem] = [null as string | null, several ?? descriptionProblem];
  try {
    hash = sha256(await readOwnedScriptFile(file, uid));
  } catch (error) {
    problem ??= toErrorMessage(error);
  }
  return {
    id,
    source: 'script',
    enabled: said.enabled ?? true,
    when: said.when,
    tools: said.tools ?? null,
    paths: said.paths ?? null,
    do: said.do ?? 'deny',
    message: said.message ?? '',
    severity: said.severity ?? 'medium',
    condition: `the script ${name}`,
    file,
    hash,
    timeoutMs: said.timeoutMs ?? MAX_SCRIPT_MS,
    problem,
  };
}

export interface ScriptRules {
  rules: readonly ScriptRule[];
  /** Files that look like rules, and why they are not; sentences without a full stop. */
  ignored: readonly string[];
}

/** Replaces an unreadable folder, whose rules must not lapse unnoticed. */
const UNREADABLE = 'unreadable-folder';

/**
 * The rules in a folder of scripts: `<id>.js`, `<id>.sh` or a program `<id>`, each with
 * `<id>.json`; and files that only look like rules. Empty if the folder does not exist. `uid`: who
 * runs svc; undefined = the system has no such numbers.
 */
export async function readScriptRules(dir: string, uid: number | undefined): Promise<ScriptRules> {
  let scriptFolder: ScriptFolder;
  try {
    scriptFolder = await readScriptFolder(dir);
  } catch (error) {
    const problem = `the folder ${dir} cannot be read (${toErrorMessage(error)})`;
    const rule = await readScriptRule(dir, UNREADABLE, [UNREADABLE], uid);
    return { rules: [{ ...rule, condition: 'a script', problem }], ignored: [] };
  }
  const { scripts, ignored } = scriptFolder;
  if (scripts.size === 0) return { rules: [], ignored };
  const folder = findOwnerProblem('the folder guardrails', await lstat(dir), uid);
  const scriptRules = await Promise.all(
    [...scripts]
      .slice(0, MAX_SCRIPTS + 1)
      .map(([id, names]) => readScriptRule(dir, id, names, uid)),
  );
  const rules = scriptRules.map((rule, at) => {
    if (at < MAX_SCRIPTS) return { ...rule, problem: folder ?? rule.problem };
    const problem = `the folder guardrails has ${scripts.size} scripts, at most ${MAX_SCRIPTS} are run; join or remove some`;
    return {
      ...rule,
      ...BROKEN,
      enabled: true,
      tools: null,
      paths: null,
      do: 'deny' as const,
      problem,
    };
  });
  return { rules, ignored };
}
