/** What the chart has to know of the rating of a visit; the whole record is a row. */
export interface PhaseRating {
  visit: number;
  phase: string;
  /** Why the visit is flagged, for people; null = it is not. */
  flag: string | null;
  /** The agent looked as if it waited for something that it cannot resolve. */
  stuck: boolean;
  /** The flag is one that pauses the job, until a person dismisses it. */
  pauses: boolean;
}
