/** What the job waits for while parked on an event, and where each kind of event leads. */
export interface EventWait {
  kinds: string[] | null;
  /** A hint for people; events of every mapped PR count. */
  prId: string | null;
  /** The phase that asked or was named; every event that does not lead forward wakes it. */
  from: string;
  /** The phase after it, which a merge wakes. */
  after: string;
  /**
   * Which ends of pull requests lead to `after`. `last-merge`: a merge, unless another pull request
   * of its work item is open. Left out = every merge and close, because the agent named the phase
   * or svc 0.2 began the wait.
   */
  forward?: 'last-merge';
  /** Something outside of svc that a person reports; left out = a pull request or ticket. */
  external?: string;
  /** For people: tickets whose comments also wake it, as the params write them. Default: none. */
  followed?: string[];
}
