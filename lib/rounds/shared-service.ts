import { openStore } from "../store/open-store.ts";
import { digestBeside } from "./process/digest-beside.ts";
import { RoundsService } from "./service.ts";
import { dataDir } from "./settings.ts";
import { askStudy } from "./studies/ask-study.ts";
import { Comparisons } from "./studies/comparisons.ts";
import { FaultStudies } from "./studies/fault-studies.ts";
import { StartStateStudies } from "./studies/start-state-studies.ts";
import { Studies } from "./studies/studies.ts";
import { WitnessStudies } from "./studies/witness-studies.ts";

/** What the pages of one server call: all over one store. */
interface Services {
  rounds: RoundsService;
  studies: Studies;
  faults: FaultStudies;
  witnesses: WitnessStudies;
  comparisons: Comparisons;
  startStates: StartStateStudies;
}

// A module may be evaluated several times in one server; the global object is one (and so the store is opened once).
const KEY = Symbol.for("tenantthrottle.rounds");
const holder = globalThis as { [KEY]?: Promise<Services> };

/** How often removed rounds are forgotten that can no longer be put back, and uploads that nobody goes on with. */
const SWEEP_EVERY_MS = 60_000;

async function open(): Promise<Services> {
  const store = await openStore(dataDir(), digestBeside);
  const rounds = new RoundsService(store);
  const studies = new Studies(store, askStudy(store));
  await rounds.resume();
  await studies.resume();
  await rounds.seed();
  const sweep = async () => {
    await rounds.removed.sweep();
    await store.sweepUploads();
  };
  setInterval(() => void sweep().catch(console.error), SWEEP_EVERY_MS).unref();
  return {
    rounds,
    studies,
    faults: new FaultStudies(store, rounds, studies),
    witnesses: new WitnessStudies(store, rounds, studies),
    comparisons: new Comparisons(store, rounds, studies),
    startStates: new StartStateStudies(store, studies),
  };
}

function services(): Promise<Services> {
  holder[KEY] ??= open().catch((error: unknown) => {
    // The next call tries again: the directory may have been freed meanwhile.
    delete holder[KEY];
    throw error;
  });
  return holder[KEY];
}

/** The one service of this process, opened at the first call. */
export const roundsService = async (): Promise<RoundsService> => (await services()).rounds;

/** Studies of this process, of whatever kind. */
export const studiesService = async (): Promise<Studies> => (await services()).studies;

/** The fault lab of this process. */
export const faultStudies = async (): Promise<FaultStudies> => (await services()).faults;

/** Breach witnesses of this process. */
export const witnessStudies = async (): Promise<WitnessStudies> => (await services()).witnesses;

/** Comparisons of two rounds of this process. */
export const comparisons = async (): Promise<Comparisons> => (await services()).comparisons;

/** Start states of this process's rounds. */
export const startStates = async (): Promise<StartStateStudies> => (await services()).startStates;
