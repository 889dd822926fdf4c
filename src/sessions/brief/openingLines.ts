import type { SessionRequest } from '../../contract/session/executor.ts';

export const formatRestartLine = (resume: string | null): string =>
  `the runner restarted during this session; the agent ${resume === null ? 'starts again, with a note' : 'continues its conversation'}`;

/** The choices for the session; null if everything is left to the default executor. */
export const formatSessionChoice = (
  { provider, model, reasoningEffort }: SessionRequest['llm'],
  defaultProvider: string,
): string | null => {
  if (provider === defaultProvider && model === null && reasoningEffort === null) return null;
  const parts = [
    `executor ${provider}`,
    model && `model ${model}`,
    reasoningEffort && `reasoning effort ${reasoningEffort}`,
  ];
  return parts.filter(Boolean).join(', ');
};

export const formatStaleLockLine = (path: string): string =>
  `removed the lock ${path}, which a git that was killed had left`;
