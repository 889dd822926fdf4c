import Type from 'typebox';

/** Something that would be lost with a home because it is nowhere else. */
export const Stake = Type.Object({
  /**
   * `job`: has not ended. `work`: commits or files of a checkout that no branch of its repository has.
   * `unclear`: whether it holds work is unknown. `saved`: work that cleanup saved in a mirror. `files`:
   * people's own. `repository`: of the local forge, in the home. `unread`: cannot be read.
   */
  kind: Type.Enum(['job', 'work', 'unclear', 'saved', 'files', 'repository', 'unread']),
  jobId: Type.Union([Type.String(), Type.Null()]),
  /** Absolute. */
  path: Type.String(),
  /** For people: the request of a job, the branch of work, the reason why it is unclear. */
  what: Type.String(),
});
export type Stake = Type.Static<typeof Stake>;
