export interface PlayedDemo {
  jobId: string;
  ok: boolean;
  /** In a few words, without the time. */
  headline: string;
  details: string;
  lookFurther: string[];
  outcome: Record<string, unknown>;
}
