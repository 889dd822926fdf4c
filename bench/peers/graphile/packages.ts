/** As much of graphile-worker as the drivers use. */
export interface GraphileWorker {
  run(options: {
    preset: Preset;
    taskList: Record<string, (payload: never, tools: Tools) => Promise<void>>;
  }): Promise<unknown>;
  makeWorkerUtils(options: { preset: Preset }): Promise<Utils>;
  Logger: new (factory: () => () => void) => unknown;
}

/** Settings of its worker; delays in ms. */
interface Preset {
  worker: {
    connectionString: string;
    logger: unknown;
    concurrentJobs?: number;
    maxPoolSize?: number;
    completeJobBatchDelay?: number;
    localQueue?: { size: number };
  };
}

export interface Tools {
  addJob(task: string, payload: object): Promise<unknown>;
}

export interface Utils {
  addJob(task: string, payload: object, options: JobOptions): Promise<unknown>;
  addJobs(jobs: ({ identifier: string; payload: object } & JobOptions)[]): Promise<unknown>;
  withPgClient<Value>(
    use: (client: {
      query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
    }) => Promise<Value>,
  ): Promise<Value>;
}

interface JobOptions {
  jobKey?: string;
  jobKeyMode?: 'replace';
  runAt?: Date;
}

export const WAITING = 'waiting';
export const STEP = 'step';

export const databaseUrl = (ports: Readonly<Record<string, number>>): string =>
  `postgresql://postgres@127.0.0.1:${ports['postgres']}/postgres`;

export const createConnection = (
  { Logger }: GraphileWorker,
  ports: Readonly<Record<string, number>>,
) => ({ connectionString: databaseUrl(ports), logger: new Logger(() => () => {}) });
