import type { NotificationKind } from '../../base/settings/notificationKinds.ts';

/** One thing that a message is about. Texts are without known secrets and hidden characters. */
export interface NotificationItem {
  /** Id of the fact: the same in every message about it. */
  id: string;
  kind: NotificationKind;
  /** More exactly, such as `approval` or `failed`. */
  reason: string;
  /** In words, such as `Waiting for your approval`. */
  label: string;
  /** Of the job, or what has happened. One line. */
  title: string;
  why: string;
  /** RFC 3339. */
  since: string;
  /** Whether it was settled before the message was sent. */
  resolved: boolean;
  /** Where it is in the dashboard. */
  url: string;
  /** null = it is not about a job. */
  job: NotificationJob | null;
  /** null = it is not about a schedule. */
  schedule: NotificationSchedule | null;
}

export interface NotificationSchedule {
  name: string;
  repository: string | null;
  workflow: string;
  /** The last failures in a row, newest first. */
  failures: ScheduleFailure[];
}

export interface ScheduleFailure {
  /** The time that was planned, RFC 3339. */
  time: string;
  /** null = no job could be created. */
  jobId: string | null;
  /** One line. */
  why: string;
}

export interface NotificationJob {
  id: string;
  repository: string | null;
  workflow: string;
  phase: string;
  /** Dollars so far, as far as they are known; null = of none of it, or nothing was used. */
  costUsd: number | null;
  /** Tokens in and out so far. */
  tokens: number;
  /** The last lines of its agent if it failed, before them its first error where that is none of them; else empty. */
  lastLines: string[];
  /** The first of these lines that reports an error; null = none does. */
  firstError: NotificationError | null;
  /** Exit code of its agent if it failed; null = it did not exit by itself, or is not known. */
  exitCode: number | null;
}

export interface NotificationError {
  /** Its number in the log of the job. */
  line: number;
  text: string;
}

/** What a channel sends. The webhook and the command get it as it is, as JSON. */
export interface NotificationMessage {
  /** The same in every attempt. */
  id: string;
  /** `notification`, or `test` for one that a person asked for. */
  type: 'notification' | 'test';
  /** When it was begun, RFC 3339. */
  at: string;
  /** One line, such as `3 jobs need you`. */
  title: string;
  /** The item in the dashboard, or the inbox if there are several. */
  url: string;
  items: NotificationItem[];
}
