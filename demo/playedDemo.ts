/** What a play of the demo came to. */
export interface PlayedDemo {
  jobId: string;
  /** It ended as it should. */
  ok: boolean;
  /** In a few words, without the time. */
  headline: string;
  /** Lines for people. */
  details: string;
  /** Commands that show more of it. */
  lookFurther: string[];
  /** For --json. */
  outcome: Record<string, unknown>;
}
