import { SvcError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import { CommandSession } from './commandSession.ts';
import type { Executor } from '../../contract/session/executor.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';

/** Default wait between SIGTERM and SIGKILL, for limits, left-over children and orphans. */
const DEFAULT_GRACE_MS = 2_000;

/**
 * Runs the program that the agent markdown's `command:` names, once a session. It finds its prompts
 * and the tool server in the folder SVC_SESSION_DIR and calls tools with `svc tool`. Exit 0 =
 * end_turn, 75 = pause_turn, else error.
 */
export const createCommandExecutor = ({
  clock,
  graceMs = DEFAULT_GRACE_MS,
}: {
  clock: Clock;
  graceMs?: number;
}): Executor => ({
  id: 'command',
  capabilities: {
    steering: false,
    foldMidTurn: false,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: true,
  },

  lacks: ({ command }) =>
    command?.length ? null : 'the agent has no `command:` in its front matter',

  async run(request) {
    const [program, ...args] = request.command ?? [];
    if (program === undefined) {
      throw new SvcError(
        'bad-argument',
        `Phase ${request.phase} runs on the command executor, but its agent has no command. Add \`command: [program, argument, …]\` to the front matter of the agent markdown, or configure another provider for the phase.`,
      );
    }
    await writeSessionFiles(request);
    return new CommandSession({ request, program, args, clock, graceMs });
  },

  endOrphans: (markerPrefix) =>
    endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), graceMs),
});
