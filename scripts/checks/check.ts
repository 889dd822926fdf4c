/** What a check found. A check that looked at nothing fails, because it would accept everything. */
export interface Finding {
  looked: number;
  at: string;
  /** One text per problem: where, what, and how to fix it. */
  problems: string[];
}

export interface Check {
  name: string;
  run(): Promise<Finding>;
}
