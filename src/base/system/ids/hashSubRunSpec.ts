import { toCanonicalJson } from '../../json/toCanonicalJson.ts';
import { sha256 } from './ids.ts';

interface Spec {
  name: string;
  description: string;
  params?: object;
  dependsOn?: readonly string[];
  trackerRef?: string | null;
}

/** sha256 over the whole spec of a sub-run, so that a person's approval covers it. */
export const hashSubRunSpec = ({
  name,
  description,
  params = {},
  dependsOn = [],
  trackerRef = null,
}: Spec): string => sha256(toCanonicalJson({ name, description, params, dependsOn, trackerRef }));
