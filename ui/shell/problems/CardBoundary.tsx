import { ErrorBoundary, type JSX, Suspense } from 'solid-js';
import { Problem } from './Problem.tsx';

/**
 * Surrounds each part of a page that reads its own data: while that part loads or after it broke,
 * the rest of the page, with typed text, stays. `loading` is shown at first; a part that reads
 * again should show `resource.latest` meanwhile.
 */
export function CardBoundary(props: { loading?: string; children: JSX.Element }) {
  return (
    <ErrorBoundary fallback={(error, reset) => <Problem error={error} retry={reset} />}>
      <Suspense fallback={<p class="muted">{props.loading ?? 'Loading …'}</p>}>
        {props.children}
      </Suspense>
    </ErrorBoundary>
  );
}
