import type {
  ChannelType,
  NotificationKind,
  Weekday,
} from '../../../base/settings/notificationKinds.ts';

/** A channel as it is configured. Which members it needs depends on its type. Holds secrets. */
export interface ChannelSettings {
  type: ChannelType;
  enabled: boolean;
  /** Program and arguments; command only. */
  command?: readonly string[];
  /** Where messages are posted. */
  url?: string;
  /** `whsec_` and base64; webhook only. */
  secret?: string;
  /** ntfy only. */
  topic?: string;
  /** ntfy, and Slack without an incoming webhook. */
  token?: string;
  /** SMTP; e-mail only. */
  host?: string;
  port?: number;
  /** TLS from the first byte; left out = on port 465. */
  secure?: boolean;
  user?: string;
  password?: string;
  from?: string;
  to?: readonly string[];
  /** Id of a channel, such as C0123456789; Slack with a token only. */
  slackChannel?: string;
  /** Where push services reach who runs this, `mailto:` or `https:`; web push only. */
  contact?: string;
  /** Hosts of push services in the own network; web push only. */
  allowHosts?: readonly string[];
  /** Never configured: of a web push channel that is for one browser, the id of its subscription. */
  browser?: string;
}

/** A time of day without messages; `from` may be later than `to`: it then contains midnight. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  to: string;
  /** IANA name, such as Europe/Berlin; left out = that of this machine. */
  zone?: string;
}

/** Which facts go to a channel, and when. An empty list does not filter. */
export interface NotificationRule {
  channel: string;
  kinds: readonly NotificationKind[];
  /** Slugs; `*` is any text. */
  repositories: readonly string[];
  /** Paths of workflows; `*` is any text. */
  workflows: readonly string[];
  /** Who created the job, or is to review it; `*` is any text. */
  people: readonly string[];
  quietHours?: QuietHours;
  batchSeconds: number;
}

/** When the report is written. */
export interface ReportTimes {
  every: 'day' | 'week';
  /** `HH:MM`. */
  at: string;
  /** Of a weekly report. */
  weekday: Weekday;
  /** IANA name; left out = that of this machine. */
  zone?: string;
}

export interface NotificationSettings {
  channels: Readonly<Record<string, ChannelSettings>>;
  rules: readonly NotificationRule[];
  report: ReportTimes;
}
