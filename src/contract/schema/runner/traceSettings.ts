/** Where traces of jobs are sent. Holds secrets. */
export interface TraceSettings {
  /** Address of a collector that speaks OTLP over HTTP; empty = traces are off. */
  endpoint: string;
  /** Of every request. */
  headers: Readonly<Record<string, string>>;
  /** The variable of the environment with more of them; empty = none. */
  headersVariable: string;
  serviceName: string;
  /** Address of a trace for people, with `{traceId}`; empty = none is shown. */
  link: string;
}
