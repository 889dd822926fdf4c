import type { Configuration } from '../../../contract/runner/configuration.ts';
import { SvcError } from '../../../base/errors/errors.ts';

const OF_LAYERS = /^(tenant\.overlay|intelligence)\b/;

/**
 * A refusal as it is, or, where no layer has a workflow and the configuration names another layer
 * than the runner began with, with the note that this layer waits for a restart.
 */
export async function addWaitingLayerNote(
  error: unknown,
  config: Pick<Configuration, 'read'>,
): Promise<unknown> {
  const isMissing =
    error instanceof SvcError &&
    error.code === 'invalid' &&
    error.errors.some(({ pointer }) => pointer === '/workflowPath');
  if (!isMissing) return error;
  // A file with mistakes is reported elsewhere.
  const waiting = await config.read().then(
    ({ reply }) => reply.restart.filter((key) => OF_LAYERS.test(key)),
    () => [],
  );
  if (waiting.length === 0) return error;
  return new SvcError(
    error.code,
    `${error.message} ${waiting.join(', ')} was changed since the runner started: restart it, and that layer counts.`,
    { errors: error.errors, data: error.data, cause: error },
  );
}
