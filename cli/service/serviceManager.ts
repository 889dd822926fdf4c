import type { ServicePlan } from './buildServicePlan.ts';

/** What a service manager says of a service. */
export interface ServiceState {
  /** Whether it is started at boot or login. */
  enabled: boolean;
  /** Whether it runs. */
  running: boolean;
  /** What the manager says, in its own word: `active`, `failed`, … */
  word: string;
}

/** A file that is written for it. */
export interface ServiceFile {
  path: string;
  /** As bytes: Windows wants UTF-16. */
  content: Buffer;
  mode: number;
}

/** What keeps programs running on this platform. */
export interface ServiceManager {
  /** For people: `systemd (user)`. */
  name: string;
  /** The files, the first one of which is the service. */
  files(plan: ServicePlan): ServiceFile[];
  /** Commands that install it once the files are written, in this order. */
  installs(plan: ServicePlan): string[][];
  /** Commands that take it away, before the files go. One may fail where it is gone already. */
  removes(plan: ServicePlan): string[][];
  /** Commands after the files are gone. */
  afterwards(plan: ServicePlan): string[][];
  state(plan: ServicePlan): Promise<ServiceState>;
  /** What a person may still have to do, such as a start before the first login; empty = nothing. */
  advice(plan: ServicePlan): Promise<string>;
}
