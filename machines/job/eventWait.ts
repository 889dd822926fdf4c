/** What it waits for while parked on an event, and where each kind of event leads. */
export interface EventWait {
  kinds: string[] | null;
  /** A hint for people; events of every mapped PR count. */
  prId: string | null;
  /** Phase that asked, or that it named: all that does not lead forward wakes it. */
  from: string;
  /** Phase that the merge wakes which leads forward. */
  after: string;
  /**
   * Which ends of pull requests lead to `after`. `last-merge`: a merge, unless another one of its
   * work item is open; left out = every merge and every close: the agent has named the phase, or
   * svc 0.2 has begun the wait.
   */
  forward?: 'last-merge';
  /**
   * Something outside of svc that a person reports; left out = a pull request or ticket is awaited.
   */
  external?: string;
  /** For people: tickets whose comments wake it too, as the params write them; left out = none. */
  followed?: string[];
}
