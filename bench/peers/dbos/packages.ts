/** As much of DBOS as the drivers use. */
export interface Dbos {
  DBOS: {
    setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
    registerWorkflow<Args extends unknown[], Result>(
      workflow: (...args: Args) => Promise<Result>,
      options: { name: string },
    ): (...args: Args) => Promise<Result>;
    launch(): Promise<void>;
    startWorkflow<Args extends unknown[], Result>(
      workflow: (...args: Args) => Promise<Result>,
      options?: { workflowID?: string },
    ): (...args: Args) => Promise<{ getResult(): Promise<Result> }>;
    runStep(step: () => Promise<unknown>, options: { name: string }): Promise<unknown>;
    recv(topic: string, timeoutSeconds: number): Promise<unknown>;
  };
  DBOSClient: {
    create(options: { systemDatabaseUrl: string }): Promise<DbosClient>;
  };
}

export interface DbosClient {
  send(workflowId: string, message: string, topic: string): Promise<void>;
}

/** As much of its PostgreSQL driver as is used. */
export interface Pg {
  Client: new (options: {
    connectionString: string;
  }) => {
    connect(): Promise<void>;
    query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
    end(): Promise<void>;
  };
}

export const TOPIC = 'continue';

export const databaseUrl = (ports: Readonly<Record<string, number>>): string =>
  `postgresql://postgres@127.0.0.1:${ports['postgres']}/bench_dbos`;
