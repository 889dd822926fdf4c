import type { SessionOutput } from './sessionOutput.ts';

/** Reports the end of calls that the agent has not ended with its turn, by id, and forgets them. */
export function endOpenCalls(output: SessionOutput, calls: Map<string, string>): void {
  for (const [id, name] of calls)
    output.tool({
      at: 'end',
      id,
      name,
      ok: false,
      detail: 'The turn ended before this call finished.',
    });
  calls.clear();
}
