/** Variables of svc's own that do not begin with `SVC_`. */
const OTHERS: ReadonlySet<string> = new Set(['LEGACY_API_KEY', 'COMPLETION_GATE_MAX_RETRIES']);

/** Form of the name of an environment variable. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * Whether svc itself reads its settings and tokens from this variable, in whatever case it is
 * written. No program of a job and no tool server gets one.
 */
export const isOwnVariable = (name: string): boolean =>
  name.toUpperCase().startsWith('SVC_') || OTHERS.has(name.toUpperCase());
