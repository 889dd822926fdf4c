import type { LogFrame } from '../../contract/schema/job/frames.ts';

/** A line of the log about a tool call of an agent's. */
export interface ToolLine {
  /** Number of its frame. */
  n: number;
  /** Epoch ms. */
  at: number;
  name: string;
  is: 'start' | 'done' | 'failed';
}

/** Names of tools; anything else might be what an agent has written. */
const TOOL_NAME = /^[A-Za-z0-9_.:/-]{1,128}$/;
const UNNAMED = 'tool';

/** The call that a line of the log is about, without what it was called with; null = none. */
export function parseToolLine(n: number, data: string): ToolLine | null {
  if (!data.includes('"tag":"tool"')) return null;
  const { from, tag, line, at } = JSON.parse(data) as LogFrame;
  if (from !== 'agent' || tag !== 'tool') return null;
  const [head = ''] = line.split(': ', 1);
  const [, name = '', outcome] = /^(.*?)(?: (done|failed))?$/.exec(head) ?? [];
  return {
    n,
    at: Date.parse(at),
    name: TOOL_NAME.test(name) ? name : UNNAMED,
    is: outcome === 'done' || outcome === 'failed' ? outcome : 'start',
  };
}
