/** What the benchmark uses of autocannon, which brings no types of its own. */
declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    pipelining: number;
    /** Seconds. */
    duration: number;
    /** Sent in turn by each connection. */
    requests: readonly { headers: Record<string, string> }[];
  }
  interface Result {
    requests: { average: number; total: number };
    /** Milliseconds. */
    latency: { p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
