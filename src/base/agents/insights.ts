/** Entries of a list of insights: default, and at most. */
export const DEFAULT_INSIGHTS = 50;
export const MAX_INSIGHTS = 200;

/** The file of the team's memory to which insights are promoted by default. */
export const INSIGHTS_MEMORY = 'memory/insights.md';
