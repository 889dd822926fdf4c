import { sha256 } from './ids.ts';

/** Hex digits of a trace id and of a span id, as OpenTelemetry has them. */
const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** The trace of a job: the same one in every runner that continues its home. */
export const createTraceId = (homeId: string, jobId: string): string =>
  sha256(`${homeId}\n${jobId}`).slice(0, TRACE_ID_CHARS);

/** A span of a trace; the same key always has the same id, so that what is sent twice is known. */
export const createSpanId = (traceId: string, key: string): string =>
  sha256(`${traceId}\n${key}`).slice(0, SPAN_ID_CHARS);
