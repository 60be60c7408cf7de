/** A longer text is no loading text. */
export const MAX_LOADING_CHARS = 80;

/** Texts that say no more than that something is to come. */
const WHOLE =
  /^\W*(?:(?:(?:the )?(?:app|application|page|site|content|data)\s*)?(?:is )?(?:now )?loading(?: (?:the )?(?:app|application|page|site|content|data)| your \w{1,40})?|please (?:wait|stand by)|just a (?:moment|second)|one moment|initiali[sz]ing|redirecting|(?:wird|werden|daten werden) geladen|bitte warten|chargement(?: en cours)?|cargando|carregando|a carregar|caricamento(?: in corso)?|even geduld|bezig met laden|загрузка|загружается|подождите|завантаження|ładowanie|wczytywanie|proszę czekać|načítání|načítám|načítava sa|načítavanie|čekejte prosím|betöltés|se încarcă|зареждане|φόρτωση|yükleniyor|laddar|läser in|indlæser|laster(?: inn)?|ladataan|(?:数据)?(?:加载|载入|读取)中|(?:正在)?加载(?:数据)?|正在(?:加载|载入|读取)|(?:載入|讀取|加載)中|正在(?:載入|讀取|加載)|请稍[候等]|請稍[候等]|(?:読み込み|読込み?|ロード)中(?:です)?|(?:로딩|로드) ?중|불러오는 ?중(?:입니다)?|جا?ر[يٍ]? (?:ال)?تحميل|در حال بارگ[ذز]اری|טוען|लोड हो रहा(?: है)?|กำลังโหลด|đang tải|(?:sedang )?memuat)(?:[\s,.…!:;%\d-]|(?:please )?wait|bitte warten|en cours)*$/iu;

/** Words that begin such a text when it ends in an ellipsis: "Loading prices…", "Lade Daten …". */
const BEGUN =
  /^\W*(?:(?:now )?loading|fetching|retrieving|getting|please wait|wait|connecting|starting|preparing|hang on|lade|laden|(?:\S{1,20} )?(?:wird|werden) geladen|hole|chargement|récupération|cargando|obteniendo|carregando|a carregar|caricamento|загрузка|загружаем|завантаження|ładowanie|wczytywanie|pobieranie|načítám|načítání|načítavam|betöltés|se încarcă|încărcare|зареждане|φόρτωση|yükleniyor|laddar|hämtar|läser in|indlæser|henter|laster|ladataan|haetaan|memuat|đang tải|正在|载入|加载|載入|読み込|로딩|불러오는|جا?ر[يٍ]? |در حال|טוען|लोड|กำลังโหลด)[^.…。]{0,60}(?:…|\. ?\. ?\.|⋯|。{2,3}|\bplease wait)\W*$/iu;

/** Words that end one in languages with the verb at the end: "Preise werden geladen", "Veriler yükleniyor". */
const ENDED =
  /^[^.…]{1,40} (?:(?:is|are) (?:being )?loaded|(?:is|are) loading|(?:wird|werden) geladen|worden geladen|yükleniyor)[\s.…!]*$/iu;

/** What is beside a page's content, or is not read. */
const BESIDE =
  /\b(?:map|karte|carte|mapa|mappa|comments?|kommentare|commentaires|comentarios|reviews?|ads?|advertisement|player|video|chat|more|weitere|mehr|next|previous|captcha|form|recommendations|related|tweets|widget|suggestions|search|translations?)\b/i;

/** Whether a text of a block says only that its content is to come. Linear: at most 80 characters are examined. */
export function isLoadingText(text: string): boolean {
  const said = text.trim();
  if (said.length < 3 || said.length > MAX_LOADING_CHARS) return false;
  if (!WHOLE.test(said) && !BEGUN.test(said) && !ENDED.test(said)) return false;
  return !BESIDE.test(said);
}
