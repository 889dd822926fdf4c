/** What a check found. One that looked at nothing has failed: it would say yes to everything. */
export interface Finding {
  /** How many things it looked at. */
  looked: number;
  /** What these things are, in the plural. */
  at: string;
  /** One text per problem: where, what, and how to fix it. */
  problems: string[];
}

export interface Check {
  name: string;
  run(): Promise<Finding>;
}
