import { quotePosixWord } from '../../../src/base/text/quotePosixWord.ts';
import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import { type Json, toJsonObjects } from '../jsonBody.ts';
import type { Call, Step, ToolAnswer } from '../script.ts';

export type PlayPart<T> = Generator<Call | Step, T, ToolAnswer>;

export const callSvcTool = (name: string, args: Json = {}): Call => ({ svc: name, args });
export const runInShell = (command: string): Call => ({ shell: command });

export interface WorkItem {
  id: string;
  title: string;
  status: string;
  prIds: string[];
}

/**
 * An answer as data, where the agent hands the data on to the model; null where it hands on the
 * text.
 */
function parseAnswerData(answer: string): Json | null {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

export function* fetchWorkItems(): PlayPart<WorkItem[]> {
  const { text } = yield callSvcTool('get_work_items');
  const items = toJsonObjects(parseAnswerData(text)?.items);
  if (items.length > 0) {
    return items.map(({ id, title, status, prIds }) => ({
      id: toStringOrEmpty(id),
      title: toStringOrEmpty(title),
      status: toStringOrEmpty(status),
      prIds: Array.isArray(prIds) ? prIds.map(toStringOrEmpty) : [],
    }));
  }
  return [...text.matchAll(/^(\S+) \[(\S+)\] (.+)$/gm)].map(
    ([, id = '', status = '', title = '']) => ({
      id,
      status,
      title,
      prIds: [],
    }),
  );
}

/**
 * Runs the repository's own tests and tells which failed. Uses a pipe, since each agent reports a
 * failed command in its own way.
 */
export function* runTests(): PlayPart<{ passed: boolean; failed: string[] }> {
  const { text } = yield runInShell(
    "node --test --test-reporter=tap | grep -E '^ *not ok|^# fail'",
  );
  const failed = [...text.matchAll(/^\s*not ok \d+ - (.+)$/gm)]
    .map(([, name = '']) => name.trim())
    .filter((name) => !name.endsWith('.js'));
  return { passed: /^# fail 0\s*$/m.test(text), failed: [...new Set(failed)] };
}

export function* switchToBase(): PlayPart<void> {
  yield runInShell('git fetch --quiet origin && git switch --quiet --detach origin/main');
}

/** Checks a branch out, or creates it: a session may start again after a crash. */
export function* switchToBranch(branch: string): PlayPart<void> {
  yield runInShell(
    `git switch --quiet ${branch} || (git fetch --quiet origin && git switch --quiet -c ${branch} origin/main)`,
  );
}

export function* commitChanges(message: string): PlayPart<void> {
  yield runInShell(
    `git add --all && (git diff --cached --quiet || git commit --quiet -m ${quotePosixWord(message)})`,
  );
}

export function readAnswerPullRequest(answer: string): { prId: string; number: number } | null {
  const [prId, number] = /local:[\w.-]+#(\d+)/.exec(answer) ?? [];
  return prId === undefined ? null : { prId, number: Number(number) };
}

export const readAnswerComments = (answer: string): Json[] =>
  toJsonObjects(parseAnswerData(answer)?.comments);
