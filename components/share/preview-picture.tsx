import type { RoundListItem } from "../../contract/round-view.ts";
import type { Signal } from "../../contract/signals.ts";
import { picturedText } from "./pictured-text.ts";

const INK = "#1a1d21";
const SOFT = "#565d66";
const WELL = "#1b6e4a";
const UNWELL = "#b02a1c";
const UNKNOWN = "#5a6270";

/** What a lamp says, as on the pages: a claim that lies or stands on nothing is never green. */
function lampLook({ claim, grounded, lies }: Signal): { word: string; color: string } {
  if (lies) return { word: "FALSE", color: UNWELL };
  if (claim === "unwell") return { word: "NOT WELL", color: UNWELL };
  if (claim === "well" && grounded) return { word: "WELL", color: WELL };
  return { word: claim === "well" ? "NO EVIDENCE" : "NOT FOUND", color: UNKNOWN };
}

/** The verdict in few words: could not be judged is never shown as nothing wrong. */
export function verdictOf({ state, summary, seal }: RoundListItem): { text: string; color: string } {
  if (seal.state === "broken") return { text: "Not what was judged", color: UNWELL };
  if (summary === null) return { text: state, color: UNKNOWN };
  const { board, truth } = summary;
  const found = truth.mismatches + truth.indeterminate;
  const differing = `${truth.mismatches} ${truth.mismatches === 1 ? "difference" : "differences"}`;
  const differences =
    truth.indeterminate === 0 ? differing : `${differing}, ${truth.indeterminate} places not compared`;
  if (board.false_green) return { text: `False green: ${differences}`, color: UNWELL };
  if (seal.state === "checking") return { text: "Being checked", color: UNKNOWN };
  if (truth.checks === 0) return { text: "Could not be judged", color: UNKNOWN };
  if (found > 0) return { text: `Not well: ${differences}`, color: UNWELL };
  if (board.disagree || truth.status !== 0) return { text: "Signals disagree", color: UNKNOWN };
  return { text: `Well: all ${truth.checks} checks match`, color: WELL };
}

function Lamp({ signal }: { signal: Signal }) {
  const { word, color } = lampLook(signal);
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        flex: 1,
        padding: "16px 20px",
        border: `3px solid ${color}`,
        borderRadius: 8,
      }}
    >
      <div style={{ fontSize: 26, color: INK, textTransform: "capitalize" }}>{signal.name}</div>
      <div style={{ fontSize: 26, color }}>{word}</div>
    </div>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div style={{ display: "flex", flexDirection: "column", flex: 1 }}>
      <div style={{ fontSize: 24, color: SOFT }}>{label}</div>
      <div style={{ fontSize: 32, color: INK, whiteSpace: "nowrap" }}>
        {String(value).replace(/\B(?=(\d{3})+(?!\d))/g, " ")}
      </div>
    </div>
  );
}

/** A list, not a fragment: the drawing program lays the parts of a fragment over each other. */
function figuresOf(summary: RoundListItem["summary"]): [label: string, value: number][] {
  if (summary === null) return [];
  const { accepted, queued, rejected, reserve_breached } = summary.counts;
  return [
    ["requests", summary.requests],
    ["accepted", accepted],
    ["queued", queued],
    ["rejected", rejected],
    ["breaches", reserve_breached],
    ["tenants", summary.tenants],
  ];
}

/** A shared round as a picture for link previews: status, five lamps, figures. Drawn by the server, without a page. */
export function PreviewPicture({ round }: { round: RoundListItem }) {
  const { summary } = round;
  const verdict = verdictOf(round);
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        width: "100%",
        height: "100%",
        padding: 56,
        background: "#ffffff",
        color: INK,
        borderTop: `20px solid ${verdict.color}`,
      }}
    >
      <div style={{ display: "flex", flexDirection: "column" }}>
        <div style={{ fontSize: 26, color: SOFT }}>tenantthrottle</div>
        <div style={{ fontSize: 40 }}>{picturedText(round.name)}</div>
      </div>
      <div style={{ fontSize: 64, color: verdict.color }}>{verdict.text}</div>
      <div style={{ display: "flex", gap: 12 }}>
        {(summary?.board.signals ?? []).map((signal) => (
          <Lamp key={signal.name} signal={signal} />
        ))}
      </div>
      <div style={{ display: "flex" }}>
        {figuresOf(summary).map(([label, value]) => (
          <Figure key={label} label={label} value={value} />
        ))}
      </div>
    </div>
  );
}
