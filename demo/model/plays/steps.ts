import { type Json, objects, text } from '../body.ts';
import type { Call, Step, ToolAnswer } from '../script.ts';
import { quoted } from '../toolNames.ts';

/** A part of a play: calls go out, answers come in, and what it found comes back. */
export type Part<T> = Generator<Call | Step, T, ToolAnswer>;

export const svc = (name: string, args: Json = {}): Call => ({ svc: name, args });
export const shell = (command: string): Call => ({ shell: command });

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
function dataOf(answer: string): Json | null {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

/** The work items of the job. */
export function* workItems(): Part<WorkItem[]> {
  const { text: said } = yield svc('get_work_items');
  const items = objects(dataOf(said)?.items);
  if (items.length > 0) {
    return items.map(({ id, title, status, prIds }) => ({
      id: text(id),
      title: text(title),
      status: text(status),
      prIds: Array.isArray(prIds) ? prIds.map(text) : [],
    }));
  }
  return [...said.matchAll(/^(\S+) \[(\S+)\] (.+)$/gm)].map(
    ([, id = '', status = '', title = '']) => ({
      id,
      status,
      title,
      prIds: [],
    }),
  );
}

/**
 * Runs the repository's own tests: did they pass, and which failed. A pipe, since agents tell a
 * failed command each in their own way.
 */
export function* runTests(): Part<{ passed: boolean; failed: string[] }> {
  const { text: said } = yield shell(
    "node --test --test-reporter=tap | grep -E '^ *not ok|^# fail'",
  );
  const failed = [...said.matchAll(/^\s*not ok \d+ - (.+)$/gm)]
    .map(([, name = '']) => name.trim())
    .filter((name) => !name.endsWith('.js'));
  return { passed: /^# fail 0\s*$/m.test(said), failed: [...new Set(failed)] };
}

/** Brings the checkout to the newest commit of the base branch. */
export function* onBase(): Part<void> {
  yield shell('git fetch --quiet origin && git switch --quiet --detach origin/main');
}

/** Continues on a branch, or creates it: a session may start again after a crash. */
export function* onBranch(branch: string): Part<void> {
  yield shell(
    `git switch --quiet ${branch} || (git fetch --quiet origin && git switch --quiet -c ${branch} origin/main)`,
  );
}

/** Commits what has changed; nothing where nothing has. */
export function* commit(message: string): Part<void> {
  yield shell(
    `git add --all && (git diff --cached --quiet || git commit --quiet -m ${quoted(message)})`,
  );
}

/** The pull request that a tool answered. */
export function pullRequestIn(answer: string): { prId: string; number: number } | null {
  const [prId, number] = /local:[\w.-]+#(\d+)/.exec(answer) ?? [];
  return prId === undefined ? null : { prId, number: Number(number) };
}

export const commentsIn = (answer: string): Json[] => objects(dataOf(answer)?.comments);
