import { type AgentTool, toFailedResult, buildInputSchema } from '../agentTool.ts';
import type { Places } from './places.ts';
import { type ProgramPlace, runToolProgram } from './runToolProgram.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

export const createShellTool = (places: Places, place: ProgramPlace): AgentTool => ({
  name: 'Bash',
  description:
    'Runs a shell command (sh) and returns its output, both streams together. Each call begins in the checkout, with nothing on stdin. ' +
    'Processes that it leaves running are ended with it.',
  inputSchema: buildInputSchema(
    {
      command: { type: 'string', description: 'The command.' },
      timeout: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        description: `Longest time, ms; default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
      },
    },
    ['command'],
  ),
  async run(args, signal) {
    const timeoutMs = Math.min(args.countOr('timeout', DEFAULT_TIMEOUT_MS), MAX_TIMEOUT_MS);
    const { output, code, why } = await runToolProgram(place, {
      program: 'sh',
      args: ['-c', args.text('command')],
      cwd: places.root,
      timeoutMs,
      signal,
    });
    const outputText = output.trimEnd();
    const toFailure = (words: string) =>
      toFailedResult(outputText === '' ? `[${words}]` : `${outputText}\n[${words}]`);
    if (why === 'timeout')
      return toFailure(
        `ended after ${timeoutMs / 1000} s, the longest time; give "timeout" for a longer one`,
      );
    if (why === 'interrupted') return toFailure('interrupted, and ended');
    if (code !== 0) return toFailure(code === null ? 'killed by a signal' : `exit code ${code}`);
    return { text: outputText === '' ? '[no output]' : outputText, failed: false };
  },
});
