import Type from 'typebox';
import { docsAddress } from '../../domain/docsAddress.ts';
import { MAX_INVARIANTS } from '../../domain/invariants/invariant.ts';

export const Invariants = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  maxItems: MAX_INVARIANTS,
  default: [],
  description: `Rules about what must never happen in a job, for every workflow, as front matter writes them; see ${docsAddress('guides/invariants.md')}.`,
});
