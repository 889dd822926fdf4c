import type { ToolAnswer } from '../tool.ts';

/** Why a call failed: see SvcError. */
export interface CallProblem {
  code: string;
  message: string;
  /** `status` of another service, `reason` against a merge, `repairable`. */
  data: Readonly<Record<string, unknown>>;
}

/** The problem of a write that was recorded as failed; null = its answer names no code. */
export function readWriteProblem({ text, data }: ToolAnswer): CallProblem | null {
  const { code } = data;
  return typeof code === 'string' ? { code, message: text, data } : null;
}
