import type { TraceTables } from '../../../contract/records/traceTables.ts';
import type { Shape } from './shape.ts';

export const TRACE_SHAPES: { [Name in keyof TraceTables]: Shape<TraceTables[Name]> } = {
  trace_marks: { job_id: 'text', frame: 'count', seq: 'count' },
};
