import { ErrorBoundary, type JSX, Suspense } from 'solid-js';
import { Problem } from './Problem.tsx';

/**
 * Around every part of a page that reads something of its own: while it loads, or after it broke,
 * the rest of the page stays as it is, with what is being typed there. `loading` is shown at first;
 * a part that reads again should show `resource.latest` meanwhile.
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
