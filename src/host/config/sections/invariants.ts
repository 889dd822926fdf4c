import Type from 'typebox';
import { toDocsAddress } from '../../../base/http/toDocsAddress.ts';
import { MAX_INVARIANTS } from '../../../base/invariants/invariant.ts';

export const Invariants = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  maxItems: MAX_INVARIANTS,
  default: [],
  description: `Rules about what must never happen in a job, for every workflow, as front matter writes them; see ${toDocsAddress('guides/invariants.md')}.`,
});
