import { type ToolAnswer, type ToolCall, ToolRefusal } from '../tool.ts';

/** The repository of a call. Throws ToolRefusal when neither the call nor the job names one. */
export function resolveCallRepo({ port }: ToolCall, requestedRepo: string | undefined): string {
  if (requestedRepo !== undefined) return requestedRepo;
  const { repoSlug } = port.job();
  if (repoSlug === null)
    throw new ToolRefusal(
      'Nothing was done. The job has no params.repoSlug: name the repository in "repo".',
    );
  return repoSlug;
}

/**
 * One write through the job's chart; a failure that the forge reported is recorded like a success.
 */
export async function writeToForge(
  { port, key }: ToolCall,
  forge: string | undefined,
  operation: string,
  args: Record<string, unknown>,
): Promise<ToolAnswer> {
  return toWriteAnswer(operation, port.forgeWrite(operation, args, key, forge));
}

const NOT_WRITTEN = ' This is temporary, and nothing was written: call the tool again later.';

/** The agent's answer to a write; a failure that the forge reported is recorded like a success. */
export async function toWriteAnswer(
  operation: string,
  write: Promise<{ ok: boolean; result: Record<string, unknown> }>,
): Promise<ToolAnswer> {
  const { ok, result } = await write;
  if (ok) return { text: JSON.stringify(result, null, 1), data: result };
  const message =
    [result.error, result.message].find((one) => typeof one === 'string') ?? JSON.stringify(result);
  const text =
    result.code === 'unreachable' ? `${message.replace(/\.?$/, '.')}${NOT_WRITTEN}` : message;
  return { text: `${operation}: ${text}`, data: result, failed: true };
}
