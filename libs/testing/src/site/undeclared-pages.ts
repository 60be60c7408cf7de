import { encodeText } from './charset-samples.js';

/** A short page that names no encoding, as older sites of its language send it. */
export interface UndeclaredPage {
  readonly encoding: string;
  /** Language and number: `cs 3`. */
  readonly name: string;
  readonly html: string;
  readonly body: Uint8Array;
}

/** Sentences of a language, and the encodings in which its pages were written. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'zh-CN': [
    '本店每天上午九点开门，晚上八点关门，周末照常营业。',
    '请在网上填写申请表，并于三个工作日内提交有关材料。',
    '图书馆藏有历史、文学和科学方面的图书约三十万册。',
    '新闻中心：全国铁路今年预计发送旅客二十九亿人次。',
    '会员登录后可以查看订单状态、修改收货地址和密码。',
  ],
  'zh-TW': [
    '本館每週一休館，開放時間為上午九點至下午五點。',
    '請於報名截止日前完成繳費，逾期恕不受理。',
    '歡迎光臨我們的網站，最新消息與活動請參閱下列公告。',
    '台灣的茶葉以高山烏龍最為有名，香氣清雅，滋味甘醇。',
    '會員登入後可以查詢訂單、修改個人資料及變更密碼。',
  ],
  ja: [
    '図書館のご案内です。開館時間は午前九時から午後八時までです。',
    'お問い合わせは下記のフォームからお願いいたします。',
    '当社は大正十二年に創業した老舗の和菓子屋でございます。',
    'このページでは、プリンターのドライバーをダウンロードできます。',
    '毎月第三土曜日に、子ども向けの工作教室を開いています。',
  ],
  ko: [
    '도서관은 매주 월요일에 휴관하며 오전 아홉 시에 문을 엽니다.',
    '회원 가입 후 주문 내역과 배송 상태를 확인하실 수 있습니다.',
    '우리 회사는 서울에 본사를 두고 있는 소프트웨어 기업입니다.',
    '자세한 내용은 아래 공지 사항을 참고하시기 바랍니다.',
    '이번 주말에는 전국에 비가 내리고 기온이 떨어지겠습니다.',
  ],
  ru: [
    'Городская библиотека открыта каждый день с девяти утра до восьми вечера.',
    'Оставьте заявку на сайте, и наш менеджер перезвонит вам в течение часа.',
    'Завод выпускает подшипники и запасные части для сельскохозяйственной техники.',
    'Прогноз погоды на завтра: облачно, небольшой снег, ветер северный.',
    'Расписание электричек изменится с первого июня в связи с ремонтом путей.',
  ],
  uk: [
    'Міська бібліотека працює щодня з десятої ранку до восьмої вечора.',
    'Залиште заявку на сайті, і наш менеджер зателефонує вам протягом години.',
    'Підприємство виготовляє меблі з натурального дерева за вашими ескізами.',
    'Українська література вісімнадцятого століття зберігається у відділі рідкісних видань.',
    'Розклад руху поїздів зміниться з першого червня через ремонт колії.',
  ],
  bg: [
    'Градската библиотека е отворена всеки ден от девет до двадесет часа.',
    'Попълнете формуляра и наш служител ще се свърже с вас още днес.',
    'Хотелът се намира на сто метра от плажа и разполага с басейн.',
    'Учениците от седми клас ще държат изпит по български език през юни.',
    'Времето утре ще бъде слънчево, с умерен вятър от североизток.',
  ],
  pl: [
    'Biblioteka miejska jest czynna codziennie od dziewiątej do dwudziestej.',
    'Wypełnij formularz, a nasz doradca oddzwoni w ciągu godziny.',
    'Firma powstała w 1991 roku i zajmuje się produkcją części zamiennych.',
    'Prognoza na jutro: zachmurzenie duże, możliwe przelotne opady śniegu.',
    'Zapraszamy na wycieczkę w góry; nocleg w schronisku, wyżywienie własne.',
  ],
  cs: [
    'Městská knihovna je otevřena každý den od devíti do dvaceti hodin.',
    'Vyplňte prosím formulář, ozveme se vám během následujícího dne.',
    'Společnost vyrábí náhradní díly pro zemědělské stroje od roku 1992.',
    'Předpověď na zítřek: zataženo, místy sněžení, čerstvý západní vítr.',
    'Příští schůze zastupitelstva se koná ve čtvrtek v kulturním domě.',
  ],
  hu: [
    'A városi könyvtár minden nap reggel kilenctől este nyolcig tart nyitva.',
    'Töltse ki az űrlapot, és munkatársunk egy órán belül visszahívja önt.',
    'Cégünk 1991 óta foglalkozik mezőgazdasági gépek alkatrészeinek gyártásával.',
    'Holnap többnyire felhős idő várható, északon kisebb hózáporokkal.',
    'A közgyűlés időpontja december tizedike, helyszíne a művelődési ház.',
  ],
  de: [
    'Die Stadtbücherei ist täglich von neun bis zwanzig Uhr geöffnet.',
    'Füllen Sie das Formular aus, wir rufen Sie innerhalb einer Stunde zurück.',
    'Unser Familienbetrieb fertigt seit 1931 Möbel aus heimischen Hölzern.',
    'Morgen überwiegend bewölkt, im Süden später auch größere Auflockerungen.',
    'Für Rückfragen stehen wir Ihnen während der Geschäftszeiten gern zur Verfügung.',
  ],
  fr: [
    'La bibliothèque municipale est ouverte tous les jours, même le dimanche à Noël.',
    'Veuillez remplir le formulaire, un conseiller vous rappellera très bientôt.',
    'Notre société, créée en 1987, fabrique des pièces détachées pour l’agriculture.',
    'Demain, le ciel sera couvert, avec quelques averses de neige près des côtes.',
    'L’été dernier, le musée a été rénové grâce à l’aide de la région.',
  ],
  es: [
    'La biblioteca municipal abrirá mañana también por la tarde, según el año pasado.',
    'Rellene el formulario y le llamaremos lo más rápido posible. ¡Gracias!',
    '¿Dónde está la oficina? En la calle Peñón, número veintidós, tercer piso.',
    'La compañía se fundó en 1987 y fabrica piezas para maquinaria agrícola.',
    'El próximo sábado habrá una excursión a la montaña con niños pequeños.',
  ],
  sv: [
    'Stadsbiblioteket är öppet varje dag från nio till åtta på kvällen.',
    'Fyll i formuläret så ringer vi upp dig inom en timme, även på lördagar.',
    'Företaget grundades år 1931 och tillverkar möbler av svenskt trä.',
    'I morgon blir det mulet väder med snöbyar längs kusten i norr.',
    'Nästa möte hålls på torsdag klockan sju i församlingshemmet på Ängsvägen.',
  ],
  el: [
    'Η δημοτική βιβλιοθήκη είναι ανοιχτή κάθε μέρα από τις εννέα το πρωί.',
    'Συμπληρώστε τη φόρμα και θα επικοινωνήσουμε μαζί σας το συντομότερο.',
    'Η εταιρεία μας ιδρύθηκε το 1987 και κατασκευάζει έπιπλα από ξύλο ελιάς.',
    'Αύριο ο καιρός θα είναι νεφελώδης με λίγες βροχές στα βόρεια.',
    'Το ξενοδοχείο βρίσκεται εκατό μέτρα από την παραλία και διαθέτει πισίνα.',
  ],
  tr: [
    'Şehir kütüphanesi her gün sabah dokuzdan akşam sekize kadar açıktır.',
    'Formu doldurun, müşteri temsilcimiz bir saat içinde sizi arayacaktır.',
    'Şirketimiz 1987 yılından beri tarım makineleri için yedek parça üretmektedir.',
    'Yarın hava çok bulutlu olacak, kuzeyde hafif kar yağışı bekleniyor.',
    'Değerli öğrenciler, sınav sonuçları pazartesi günü açıklanacaktır.',
  ],
  he: [
    'הספרייה העירונית פתוחה בכל יום מתשע בבוקר ועד שמונה בערב.',
    'מלאו את הטופס ונציג שלנו יחזור אליכם בתוך שעה.',
    'החברה נוסדה בשנת 1987 ומייצרת חלקי חילוף למכונות חקלאיות.',
    'מחר יהיה מעונן חלקית, ובצפון צפוי גשם קל בשעות הערב.',
    'המוזיאון מציג תערוכה חדשה של ציירים צעירים מירושלים.',
  ],
  ar: [
    'المكتبة العامة مفتوحة كل يوم من التاسعة صباحا حتى الثامنة مساء.',
    'يرجى ملء النموذج وسوف يتصل بك أحد موظفينا خلال ساعة واحدة.',
    'تأسست الشركة في عام 1987 وهي تنتج قطع الغيار للآلات الزراعية.',
    'يكون الطقس غدا غائما مع احتمال سقوط أمطار خفيفة في الشمال.',
    'يعرض المتحف الوطني مجموعة جديدة من المخطوطات القديمة.',
  ],
  lt: [
    'Miesto biblioteka dirba kiekvieną dieną nuo devintos ryto iki aštuntos vakaro.',
    'Užpildykite formą ir mūsų darbuotojas jums paskambins per valandą.',
    'Įmonė įkurta 1991 metais ir gamina atsargines dalis žemės ūkio technikai.',
    'Rytoj debesuota su pragiedruliais, šiaurėje galimas nedidelis sniegas.',
    'Kviečiame į ekskursiją po senamiestį; išvykstame šeštadienį dešimtą valandą.',
  ],
  lv: [
    'Pilsētas bibliotēka ir atvērta katru dienu no deviņiem rītā līdz astoņiem vakarā.',
    'Aizpildiet veidlapu, un mūsu darbinieks jums piezvanīs stundas laikā.',
    'Uzņēmums dibināts 1991. gadā un ražo rezerves daļas lauksaimniecības tehnikai.',
    'Rīt būs mākoņains laiks, ziemeļos vietām gaidāms neliels sniegs.',
    'Skolēnu pārstāvji tikās ar pašvaldības priekšsēdētāju un iesniedza savus ierosinājumus.',
  ],
  vi: [
    'Thư viện thành phố mở cửa hằng ngày từ chín giờ sáng đến tám giờ tối.',
    'Xin vui lòng điền vào mẫu đơn, nhân viên của chúng tôi sẽ gọi lại ngay.',
    'Công ty được thành lập năm 1987 và sản xuất phụ tùng máy nông nghiệp.',
    'Ngày mai trời nhiều mây, miền Bắc có mưa nhỏ vài nơi.',
    'Khách sạn nằm cách bãi biển một trăm mét và có hồ bơi rất đẹp.',
  ],
  th: [
    'ห้องสมุดประชาชนเปิดให้บริการทุกวันตั้งแต่เก้าโมงเช้าถึงสองทุ่ม',
    'กรุณากรอกแบบฟอร์ม แล้วเจ้าหน้าที่ของเราจะติดต่อกลับภายในหนึ่งชั่วโมง',
    'บริษัทก่อตั้งขึ้นในปี 2530 และผลิตอะไหล่สำหรับเครื่องจักรกลการเกษตร',
    'พรุ่งนี้มีเมฆมาก และมีฝนตกเล็กน้อยทางภาคเหนือ',
    'โรงแรมตั้งอยู่ห่างจากชายหาดหนึ่งร้อยเมตรและมีสระว่ายน้ำ',
  ],
};

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  gbk: ['zh-CN', 'zh-CN'],
  big5: ['zh-TW', 'zh-TW'],
  shift_jis: ['ja', 'ja'],
  'euc-jp': ['ja', 'ja'],
  'iso-2022-jp': ['ja', 'ja'],
  'euc-kr': ['ko', 'ko'],
  'windows-1250': ['pl', 'cs', 'hu'],
  'iso-8859-2': ['pl', 'cs', 'hu'],
  'windows-1251': ['ru', 'uk', 'bg'],
  'koi8-r': ['ru', 'ru'],
  'koi8-u': ['uk', 'uk'],
  'iso-8859-5': ['ru', 'bg'],
  ibm866: ['ru', 'ru'],
  'windows-1252': ['de', 'fr', 'es', 'sv'],
  'windows-1253': ['el', 'el'],
  'iso-8859-7': ['el', 'el'],
  'windows-1254': ['tr', 'tr'],
  'windows-1255': ['he', 'he'],
  'windows-1256': ['ar', 'ar'],
  'windows-1257': ['lt', 'lv'],
  'windows-1258': ['vi', 'vi'],
  'windows-874': ['th', 'th'],
};

/** Ten pages of each encoding, of two sentences or more. */
export function undeclaredPages(): readonly UndeclaredPage[] {
  return Object.entries(LANGUAGES).flatMap(([encoding, languages]) =>
    Array.from({ length: 10 }, (_, number) => {
      const language = languages[number % languages.length] ?? '';
      return undeclaredPage(encoding, language, Math.floor(number / languages.length));
    }),
  );
}

/** The first pages have three sentences, those after them two: a language has five. */
function undeclaredPage(encoding: string, language: string, number: number): UndeclaredPage {
  const all = SENTENCES[language] ?? [];
  const sentence = (step: number): string => all[(number + step) % all.length] ?? '';
  const text = number < all.length ? `${sentence(1)} ${sentence(2)}` : sentence(1);
  const html = `<html><head><title>${sentence(0)}</title></head><body><h1>${sentence(0)}</h1><p>${text}</p></body></html>`;
  return { encoding, name: `${language} ${number}`, html, body: encodeText(html, encoding) };
}
