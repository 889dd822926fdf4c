import { createLazyPart } from '../../shell/signals/lazyPart.ts';

/** A diff, for pages that show one only sometimes: what draws it is loaded then. */
export const LazyDiffView = createLazyPart(async () => (await import('./DiffView.tsx')).DiffView);
