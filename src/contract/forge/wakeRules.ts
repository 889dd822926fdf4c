/**
 * Whose doings may wake and steer a job. Logins, or identities where logins are free to choose,
 * lower case.
 */
export interface WakeRules {
  /** `members` = those who may write to the repository; `everybody`; or these alone. */
  who: 'members' | 'everybody' | ReadonlySet<string>;
  /** Never, even where `who` allows them. */
  never: ReadonlySet<string>;
}
