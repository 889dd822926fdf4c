import Router from '@koa/router';

type Matched = ReturnType<Router['match']>;
type Layer = Matched['path'][number];

/** The parts of an address between its slashes; one slash at its end says nothing. */
const splitAddressPath = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1);

/**
 * A router that tries only the routes that have as many parts as the address and the same first one:
 * a few, where the router itself tries every route, twice for each request.
 */
export class MatchingRouter extends Router {
  #layers: Map<string, Layer[]> | undefined;

  override match(path: string, method: string): Matched {
    const found: Matched = { path: [], pathAndMethod: [], route: false };
    this.#layers ??= this.#sorted();
    const parts = splitAddressPath(path);
    for (const layer of this.#layers.get(`${parts.length} ${parts[0]}`) ?? []) {
      if (!layer.match(path)) continue;
      found.path.push(layer);
      if (!layer.methods.includes(method.toUpperCase())) continue;
      found.pathAndMethod.push(layer);
      found.route = true;
    }
    return found;
  }

  /** By number of parts and the first part, in the order in which they were registered. */
  #sorted(): Map<string, Layer[]> {
    const layers = new Map<string, Layer[]>();
    for (const layer of this.stack) {
      const path = String(layer.path);
      const parts = splitAddressPath(path);
      const [first = ''] = parts;
      if (layer.methods.length === 0 || first.startsWith(':') || /[*{]/.test(path))
        throw new Error(`The route ${path} needs a method, a fixed first part and a fixed length`);
      const key = `${parts.length} ${first}`;
      layers.set(key, [...(layers.get(key) ?? []), layer]);
    }
    return layers;
  }
}
