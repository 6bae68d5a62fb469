// What Python sends to the scripts of a page. Made by `python3 dev.py types`: change the structs, not this file.
declare namespace Views {
  interface AlternativeView {
    words: string;
    action: Record<string, unknown>;
    plan: string;
    told: string;
    expected: ExpectedView | null;
    less: number | null;
  }

  interface AmountChoice {
    least: number;
    most: number;
    step: number;
  }

  interface AnswerData {
    index: number;
    action: Record<string, unknown>;
    place?: string;
    words?: string;
    tile?: string;
    cost?: number;
    how?: string;
  }

  interface BonusView {
    words: string;
    value: number;
  }

  interface BotAnswers {
    answered: BotsDone;
    update: Update | null;
  }

  interface BotsDone {
    version: number;
    answers: number;
    done: boolean;
  }

  interface CityPlace {
    id: string;
    x: number;
    y: number;
  }

  interface ConsequenceView {
    text: string;
    grave: boolean;
    parts: TextPart[];
  }

  interface ExpectedView {
    amount: number;
    low: number;
    high: number;
  }

  interface Fault {
    error: string;
    rule?: string;
    rule_text?: string;
  }

  interface GainView {
    gain: number;
    best: number;
    proven: boolean;
  }

  interface GainsView {
    version: number;
    gains: Record<string, GainView>;
  }

  interface HintView {
    version: number;
    words: string;
    action: Record<string, unknown>;
    reasons: string[];
    by: string;
    plan: string;
    expected: ExpectedView | null;
    outlook: string;
    alternatives: AlternativeView[];
    lines: string[];
  }

  interface MarkView {
    letters: string;
    colour: string;
    ink: string;
  }

  interface MoneyStep {
    who: string;
    amount: number;
  }

  interface MoveView {
    number: number;
    by: string;
    by_name: string;
    company: string | null;
    mark: MarkView | null;
    kind: string;
    words: string;
    hexes: string[];
    companies: string[];
    prices: PriceStep[];
    money: MoneyStep[];
    route: boolean;
    grave: boolean;
    quick: boolean;
  }

  interface PlaceView {
    id: string;
    hex: string;
    name: string;
  }

  interface PlanSummary {
    id: string;
    key: string;
    path: string;
    name: string;
    number: number;
    round: string;
  }

  interface PlayedForReal {
    version: number;
    path: string;
  }

  interface Preview {
    words: string;
    done: string;
    consequences: ConsequenceView[];
    refusal: string | null;
    rule: string | null;
    rule_text: string | null;
    refusal_parts: TextPart[];
  }

  interface PriceStep {
    company: string;
    before: number;
    after: number;
  }

  interface QuestionData {
    answers: AnswerData[];
    tiles: Record<string, TileData>;
  }

  interface ReadingView {
    id: string;
    question: string;
    reading: string;
    follows: string;
  }

  interface RefusalView {
    rule: string;
    text: string;
  }

  interface RouteView {
    card: string;
    face: string;
    path: string[];
    stops: StopView[];
    revenue: number;
    subsidy: number;
    cars: string[];
    bonuses: BonusView[];
    colour: number;
    refusal: RefusalView | null;
  }

  interface RoutesView {
    company: string;
    company_name: string;
    routes: RouteView[];
    revenue: number;
    subsidy: number;
    most: number;
    bound: number;
    legal: boolean;
    refusal: RefusalView | null;
    action: Record<string, unknown>;
    cars: string[];
  }

  interface RuleView {
    id: string;
    chapter: string;
    text: string;
    variant: string;
    module: string | null;
    source: string | null;
    rulings: RulingView[];
    readings: ReadingView[];
    without_effect: string | null;
  }

  interface RulingView {
    id: string;
    question: string;
    values: string[];
    default: string;
    site: string;
    explanation: string;
    rules: string[];
    ambiguity: string | null;
  }

  interface RunsView {
    view: RoutesView;
    svg: string;
  }

  interface StopView {
    place: PlaceView;
    value: number;
    counted: boolean;
  }

  interface TextPart {
    text: string;
    hex?: string;
    company?: string;
    mark?: MarkView;
  }

  interface TileData {
    colour: string;
    left: number | null;
  }

  interface Update {
    version: number;
    number: number;
    at: number;
    now: boolean;
    my_turn: boolean;
    asks_me: boolean;
    over: boolean;
    stamp: number;
    panels: Record<string, string>;
    board: string | null;
    hexes: Record<string, string>;
    routes: string;
    scene: string;
    move: MoveView | null;
    last: MoveView | null;
    stop: boolean;
    left: number;
  }
}
