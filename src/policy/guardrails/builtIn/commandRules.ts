import type { Rule, Subject } from '../rule.ts';
import { createBuiltInRule, toFinding } from './createBuiltInRule.ts';

/** Programs' names of the tools that run commands. */
const SHELLS = ['bash', 'shell', 'execute', 'terminal', 'run_command', 'exec*', '*run_shell*'];

/** Longest command that is checked, characters. */
const MAX_COMMAND_CHARS = 20_000;

function splitShellCommands({ args }: Subject): string[][] {
  const text = [args.command, args.cmd, args.script, args.title]
    .flat()
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, MAX_COMMAND_CHARS);
  return text.split(/[;&|\n()]+/).map((part) =>
    part
      .split(/\s+/)
      .map((word) => word.replaceAll(/["'`]/g, ''))
      .filter((word) => word !== ''),
  );
}

function readGitPush(words: readonly string[]): readonly string[] | null {
  const at = words.findIndex((word) => word === 'git' || word.endsWith('/git'));
  const push = at === -1 ? -1 : words.indexOf('push', at);
  return push === -1 ? null : words.slice(push + 1);
}

const isForced = (word: string): boolean =>
  /^--force(?:$|-with-lease|-if-includes|=)/.test(word) ||
  /^-[a-z]*f[a-z]*$/.test(word) ||
  /^\+[\w./-]+/.test(word) ||
  word === '--mirror';

const BASES = /^(?:[\w./-]+:)?(?:refs\/heads\/)?(?:main|master|trunk|develop)$/;

const createCommandRule = (
  rule: Pick<Rule, 'id' | 'message' | 'condition'>,
  holds: (words: readonly string[]) => boolean,
): Rule =>
  createBuiltInRule({
    ...rule,
    when: ['tool.before'],
    tools: SHELLS,
    do: 'deny',
    severity: 'high',
    test: (subject) => {
      const words = splitShellCommands(subject).find(holds);
      return words ? toFinding(`the command ${words.slice(0, 12).join(' ')}`) : null;
    },
  });

/**
 * Rules about the text of a command. They are hints for well-meaning agents: a program can do the
 * same without these words. The real protection is the sandbox, and that agents have no token of a
 * forge.
 */
export const commandRules: readonly Rule[] = [
  createCommandRule(
    {
      id: 'no-force-push',
      condition: 'a command is a forced git push',
      message:
        'Commit to your branch and open or update its pull request with create_pr, which pushes it.',
    },
    (words) => readGitPush(words)?.some(isForced) === true,
  ),
  createCommandRule(
    {
      id: 'no-base-branch-push',
      condition: 'a command pushes to main, master, trunk or develop',
      message: 'Commit to a branch of your own and open a pull request with create_pr.',
    },
    (words) => readGitPush(words)?.some((word) => BASES.test(word)) === true,
  ),
  createCommandRule(
    {
      id: 'no-draft-flip',
      condition: 'a command takes the draft mark off a pull request, or sets it',
      message: 'Leave that to a person: say in a comment that it is ready.',
    },
    (words) => {
      const at = words.indexOf('pr');
      return at > 0 && ['gh', 'glab'].includes(words[at - 1] ?? '') && words[at + 1] === 'ready';
    },
  ),
];
