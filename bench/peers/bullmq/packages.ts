import type { STATE } from '../sizes.ts';

/** As much of BullMQ as the drivers use. */
export interface BullMq {
  Queue: new (name: string, options: { connection: Connection }) => JobQueue;
  Worker: new (
    name: string,
    work: (job: Job) => Promise<unknown>,
    options: { connection: Connection; concurrency: number },
  ) => Worker;
  Job: new (queue: JobQueue, name: string, data: object, options: object, id: string) => Job;
}

interface Connection {
  host: string;
  port: number;
}

export interface NewJob {
  name: string;
  data: JobData;
  opts?: { jobId?: string; delay?: number };
}

export interface JobData {
  done: number;
  items?: typeof STATE;
}

export interface Job {
  id: string;
  name: string;
  data: JobData;
  updateData(data: JobData): Promise<void>;
  promote(): Promise<void>;
}

export interface JobQueue {
  addBulk(jobs: NewJob[]): Promise<unknown>;
  getJobs(states: string[], start: number, end: number): Promise<Job[]>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
  waitUntilReady(): Promise<unknown>;
}

interface Worker {
  on(event: 'completed' | 'failed', listener: (job: Job) => void): void;
  waitUntilReady(): Promise<unknown>;
}

export const STEPPING = 'stepping';
export const WAITING = 'waiting';
