import ipaddr from "ipaddr.js";

/** The exact client key (G3): structured, so that no credential can be spelled like a network. */
export interface ClientKey {
  readonly kind: "token" | "ip";
  /** The credential's id, or the network in RFC 5952 form with its bits. */
  readonly value: string;
}

/**
 * A client that is remembered by how its address is spelled. What a store in memory has of it can be kept with it, and
 * need not be looked up again; it is nobody else's business, so it shows in no comparison and no text.
 */
export class KnownClient implements ClientKey {
  readonly kind = "ip";
  readonly value: string;
  #kept: object | null = null;

  constructor(value: string) {
    this.value = value;
  }

  /** What was kept with a client by `keep`; null where nothing was, or nothing can be. */
  static keptWith(client: ClientKey): object | null {
    return #kept in client ? client.#kept : null;
  }

  static keep(client: ClientKey, kept: object): void {
    if (#kept in client) client.#kept = kept;
  }
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [Address, number];

/** As a client is shown: `token:<id>` or `ip:<network>/<bits>` (G3). */
export const shownClient = ({ kind, value }: ClientKey): string => `${kind}:${value}`;

const ZONE = /%[0-9A-Za-z._~-]+$/;

/** Brackets, port and zone are no part of an address (G3). */
function bare(text: string): string {
  const match = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? /^([\d.]+):\d{1,5}$/.exec(text);
  const address = match?.[1] ?? text;
  return address.includes(":") ? address.replace(ZONE, "") : address;
}

const QUAD = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/** The IPv4 address of four decimal parts; the library's own reading takes other spellings too, and ten times as long. */
function quadOf(text: string): ipaddr.IPv4 | null {
  if (!QUAD.test(text)) return null;
  const octets = text.split(".").map(Number);
  return octets.every((octet) => octet <= 255) ? new ipaddr.IPv4(octets) : null;
}

/**
 * An IPv6 text whose dotted quad at the end, if any, is written as two groups; null where the quad is none. The library
 * would read `::192.0.2.1` as the IPv4-mapped address, which it is not.
 */
function withoutQuad(text: string): string | null {
  const start = text.lastIndexOf(":") + 1;
  const end = text.slice(start);
  if (!end.includes(".")) return text;
  const quad = quadOf(end);
  if (quad === null) return null;
  const [a, b, c, d] = quad.octets as [number, number, number, number];
  return `${text.slice(0, start)}${(256 * a + b).toString(16)}:${(256 * c + d).toString(16)}`;
}

/**
 * The address a text spells, or null. IPv4 only in four decimal parts without leading zeros: other spellings mean
 * different addresses to different programs. An IPv4-mapped IPv6 address is its IPv4 address (G3); a zone is dropped.
 */
export function addressOf(text: string): Address | null {
  const plain = bare(text);
  if (!plain.includes(":")) return quadOf(plain);
  const groups = withoutQuad(plain);
  if (groups === null || groups.includes("%") || !ipaddr.IPv6.isValid(groups)) return null;
  const address = ipaddr.IPv6.parse(groups);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A CIDR network of the configuration (G1), or null; an IPv4-mapped one is its IPv4 network. */
export function networkOf(text: string): Network | null {
  const [plain = "", bitsText = "", more] = text.split("/");
  const address = plain.includes("[") ? null : addressOf(plain);
  if (more !== undefined || address === null || !/^(0|[1-9]\d{0,2})$/.test(bitsText)) return null;
  const mapped = plain.includes(":") && address.kind() === "ipv4";
  const bits = Number(bitsText) - (mapped ? 96 : 0);
  return bits >= 0 && bits <= (address.kind() === "ipv4" ? 32 : 128) ? [address, bits] : null;
}

function cut(bytes: number[], bits: number): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    return byte & (0xff00 >> kept) & 0xff;
  });
}

/** The client of an address: its network, cut to the service's prefix (G3). */
export function clientOf(address: Address, prefix: { v4: number; v6: number }): ClientKey {
  const bits = address.kind() === "ipv4" ? prefix.v4 : prefix.v6;
  const bytes = cut(address.toByteArray(), bits);
  const network =
    bytes.length === 4 ? bytes.join(".") : (ipaddr.fromByteArray(bytes) as ipaddr.IPv6).toRFC5952String();
  return new KnownClient(`${network}/${bits}`);
}

const within = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** What the text of one hop says (G3). */
export interface Hop {
  /** Its address in one spelling; null: it is none. */
  readonly address: string | null;
  /** Whether it is one of the proxies whose headers are believed. */
  readonly isTrusted: boolean;
}

/** One hop, judged by the networks that are trusted. */
export function hopOf(text: string, trusted: readonly Network[]): Hop {
  const address = addressOf(text);
  if (address === null) return { address: null, isTrusted: false };
  return { address: address.toString(), isTrusted: trusted.some((network) => within(address, network)) };
}

/**
 * The address a request counts for (G3): the peer's; where the peer is a trusted proxy, the first untrusted hop of
 * `X-Forwarded-For` from the right, or the last hop before one that is no address. Null: the peer is no address.
 */
export function forwardedAddress(peer: string, header: string, hopAt: (text: string) => Hop): string | null {
  let hop = hopAt(peer);
  for (let end = header.length; end >= 0 && hop.isTrusted; ) {
    const start = header.lastIndexOf(",", end - 1) + 1;
    const next = hopAt(header.slice(start, end).trim());
    if (next.address === null) break;
    hop = next;
    end = start - 1;
  }
  return hop.address;
}
