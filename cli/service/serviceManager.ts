import type { ServicePlan } from './buildServicePlan.ts';

export interface ServiceState {
  /** Whether it is started at boot or login. */
  enabled: boolean;
  running: boolean;
  /** What the manager says, in its own word: `active`, `failed`, … */
  word: string;
}

export interface ServiceFile {
  path: string;
  /** As bytes: Windows wants UTF-16. */
  content: Buffer;
  mode: number;
}

export interface ServiceManager {
  /** For people: `systemd (user)`. */
  name: string;
  /** The files, the first one of which is the service. */
  files(plan: ServicePlan): ServiceFile[];
  /** Commands that install it once the files are written, in this order. */
  installs(plan: ServicePlan): string[][];
  /** Commands that take it away, before the files go. One may fail where it is gone already. */
  removes(plan: ServicePlan): string[][];
  /** Commands that run after the files are gone. */
  afterwards(plan: ServicePlan): string[][];
  state(plan: ServicePlan): Promise<ServiceState>;
  /** What a person may still have to do, such as a start before the first login; empty = nothing. */
  advice(plan: ServicePlan): Promise<string>;
}
