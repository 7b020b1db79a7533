// For tests: three texts in each language of the catalog of voices, and questions that have their words in other forms. Each
// question names the text that answers it.

export interface LanguageCase {
  readonly language: string;
  readonly texts: readonly [string, string, string];
  readonly questions: readonly (readonly [question: string, text: 0 | 1 | 2])[];
}

export const languageCases: readonly LanguageCase[] = [
  {
    language: 'ar',
    texts: [
      'تتم إعادة المبلغ إلى البطاقة خلال تسعة أيام عمل.',
      'يمكن إلغاء الموعد بالهاتف قبل يوم واحد.',
      'رسوم الشحن أحد عشر يورو للطرد.',
    ],
    questions: [
      ['متى تعاد المبالغ لبطاقتي', 0],
      ['أريد أن ألغي موعدي', 1],
      ['كم رسم شحن الطرود', 2],
    ],
  },
  {
    language: 'bg',
    texts: [
      'Възстановяваме парите по картата на клиента до девет работни дни.',
      'Прегледът може да се отмени по телефона най-късно ден по-рано.',
      'Доставката струва единайсет евро за пратка.',
    ],
    questions: [
      ['кога ще бъдат възстановени парите ми', 0],
      ['искам да отменя прегледа си', 1],
      ['колко струват доставките на пратки', 2],
    ],
  },
  {
    language: 'cs',
    texts: [
      'Peníze vracíme zákazníkovi na kartu do devíti pracovních dnů.',
      'Objednanou návštěvu lze zrušit telefonicky den předem.',
      'Poštovné činí jedenáct eur za balík.',
    ],
    questions: [
      ['kdy dostanu vrácené peníze na svou kartu', 0],
      ['chci zrušení návštěvy', 1],
      ['kolik platím poštovného za balíky', 2],
    ],
  },
  {
    language: 'da',
    texts: [
      'Pengene tilbagebetales til kortet inden for ni arbejdsdage.',
      'En aftale kan aflyses telefonisk senest dagen før.',
      'Fragten koster elleve euro pr. pakke.',
    ],
    questions: [
      ['hvornår kommer tilbagebetalingen på mit kort', 0],
      ['aflysning af aftaler', 1],
      ['hvad er fragtprisen for pakker', 2],
    ],
  },
  {
    language: 'de',
    texts: [
      'Die Erstattung erfolgt innerhalb von neun Werktagen auf die Karte.',
      'Vereinbarte Termine können bis zum Vortag telefonisch abgesagt werden.',
      'Die Versandkosten betragen elf Euro je Paket.',
    ],
    questions: [
      ['wann bekomme ich mein Geld erstattet', 0],
      ['ich möchte einen Termin absagen', 1],
      ['was kostet der Versand von Paketen', 2],
    ],
  },
  {
    language: 'el',
    texts: [
      'Η επιστροφή χρημάτων γίνεται στην κάρτα σε εννέα εργάσιμες ημέρες.',
      'Το ραντεβού ακυρώνεται τηλεφωνικά μία μέρα πριν.',
      'Τα έξοδα αποστολής είναι έντεκα ευρώ ανά δέμα.',
    ],
    questions: [
      ['πότε επιστρέφονται τα χρήματα στις κάρτες', 0],
      ['θέλω να ακυρώσω ραντεβού', 1],
      ['πόσο κοστίζει η αποστολή δεμάτων', 2],
    ],
  },
  {
    language: 'en',
    texts: [
      'Refunds are paid to the card within nine working days.',
      'An appointment can be cancelled by telephone one day before.',
      'Shipping costs eleven euros for each parcel.',
    ],
    questions: [
      ['when am I refunded on my card', 0],
      ['cancelling my appointments', 1],
      ['what does it cost to ship parcels', 2],
    ],
  },
  {
    language: 'es',
    texts: [
      'Los reembolsos se hacen a la tarjeta en nueve días hábiles.',
      'La cita se puede cancelar por teléfono un día antes.',
      'Los gastos de envío son de once euros por paquete.',
    ],
    questions: [
      ['cuándo me reembolsan el dinero en mi tarjeta', 0],
      ['quiero cancelar mis citas', 1],
      ['cuánto cuesta enviar paquetes', 2],
    ],
  },
  {
    language: 'fi',
    texts: [
      'Rahat palautetaan kortille yhdeksän arkipäivän kuluessa.',
      'Ajan voi perua puhelimitse edellisenä päivänä.',
      'Toimituskulut ovat yksitoista euroa paketilta.',
    ],
    questions: [
      ['milloin saan rahani takaisin, palautus kortilleni', 0],
      ['haluan peruuttaa aikani puhelimella', 1],
      ['paljonko paketin toimitus maksaa', 2],
    ],
  },
  {
    language: 'fil',
    texts: [
      'Ibinabalik ang bayad sa kard sa loob ng siyam na araw ng trabaho.',
      'Maaaring kanselahin ang tipanan sa telepono isang araw bago nito.',
      'Labing-isang euro ang singil sa pagpapadala ng bawat pakete.',
    ],
    questions: [
      ['kailan maibabalik ang binayad ko', 0],
      ['gusto kong magkansela ng tipanan', 1],
      ['magkano ang padala ng pakete', 2],
    ],
  },
  {
    language: 'fr',
    texts: [
      'Les remboursements sont versés sur la carte sous neuf jours ouvrés.',
      "Un rendez-vous peut être annulé par téléphone jusqu'à la veille.",
      "Les frais d'expédition sont de onze euros par colis.",
    ],
    questions: [
      ['quand serai-je remboursé', 0],
      ['je voudrais annuler mon rendez-vous', 1],
      ["combien coûte l'envoi, les frais pour expédier des colis", 2],
    ],
  },
  {
    language: 'he',
    texts: [
      'ההחזר הכספי מועבר לכרטיס בתוך תשעה ימי עסקים.',
      'אפשר לבטל את הפגישה בטלפון עד יום לפני כן.',
      'דמי המשלוח הם אחד עשר אירו לחבילה.',
    ],
    questions: [
      ['מתי אקבל החזר לכרטיסי', 0],
      ['ביטול פגישות', 1],
      ['כמה עולה לשלוח חבילות במשלוח', 2],
    ],
  },
  {
    language: 'hi',
    texts: [
      'धनवापसी नौ कार्य दिवसों में कार्ड पर की जाती है।',
      'मुलाक़ात एक दिन पहले फ़ोन से रद्द की जा सकती है।',
      'हर पार्सल का शुल्क ग्यारह यूरो है।',
    ],
    questions: [
      ['मेरे कार्ड में धनवापसी कब होगी', 0],
      ['मुझे मुलाक़ातें रद्द करनी हैं', 1],
      ['पार्सलों का कितना शुल्क लगेगा', 2],
    ],
  },
  {
    language: 'hr',
    texts: [
      'Novac vraćamo na karticu u roku od devet radnih dana.',
      'Termin se može otkazati telefonom najkasnije dan prije.',
      'Dostava stoji jedanaest eura po paketu.',
    ],
    questions: [
      ['kad ću dobiti povrat novca na kartici', 0],
      ['želim otkazivanje termina', 1],
      ['koliko stoje dostave paketa', 2],
    ],
  },
  {
    language: 'hu',
    texts: [
      'A pénzt kilenc munkanapon belül térítjük vissza a kártyára.',
      'Az időpontot legkésőbb egy nappal előtte lehet telefonon lemondani.',
      'A szállítás csomagonként tizenegy euróba kerül.',
    ],
    questions: [
      ['mikor kapom meg a visszatérítést a kártyámra', 0],
      ['szeretném lemondani az időpontomat', 1],
      ['mennyibe kerül a csomagok szállítása', 2],
    ],
  },
  {
    language: 'id',
    texts: [
      'Uang dikembalikan ke kartu dalam sembilan hari kerja.',
      'Janji temu dapat dibatalkan lewat telepon satu hari sebelumnya.',
      'Biaya pengiriman sebelas euro untuk tiap paket.',
    ],
    questions: [
      ['kapan pengembalian uang masuk ke kartuku', 0],
      ['saya mau membatalkan janji', 1],
      ['berapa ongkos kirim paketnya', 2],
    ],
  },
  {
    language: 'it',
    texts: [
      'I rimborsi arrivano sulla carta entro nove giorni lavorativi.',
      "L'appuntamento si può disdire per telefono il giorno prima.",
      'Le spese di spedizione sono undici euro per pacco.',
    ],
    questions: [
      ['quando mi rimborsate', 0],
      ['vorrei disdire gli appuntamenti', 1],
      ['quanto costa spedire i pacchi', 2],
    ],
  },
  {
    language: 'ja',
    texts: [
      '返金は九営業日以内にカードへ行います。',
      '予約は前日までに電話で取り消せます。',
      '送料は小包一つにつき十一ユーロです。',
    ],
    questions: [
      ['いつ返金されますか', 0],
      ['予約を取り消したいのですが', 1],
      ['小包の送料はいくらですか', 2],
    ],
  },
  {
    language: 'ko',
    texts: [
      '환불금은 구 영업일 안에 카드로 들어갑니다.',
      '진료 예약은 전날까지 전화로 취소하셔야 합니다.',
      '택배 요금은 상자 하나에 십일 유로입니다.',
    ],
    questions: [
      ['환불이 카드에 언제 들어와요', 0],
      ['예약을 취소하려고 하는데요', 1],
      ['택배를 보내면 요금이 얼마예요', 2],
    ],
  },
  {
    language: 'ms',
    texts: [
      'Wang dipulangkan ke kad dalam masa sembilan hari bekerja.',
      'Temu janji boleh dibatalkan melalui telefon sehari sebelumnya.',
      'Caj penghantaran ialah sebelas euro bagi setiap bungkusan.',
    ],
    questions: [
      ['bila pemulangan wang saya', 0],
      ['saya hendak membatalkan temu janji', 1],
      ['berapakah caj menghantar bungkusan', 2],
    ],
  },
  {
    language: 'nl',
    texts: [
      'Terugbetalingen staan binnen negen werkdagen op de kaart.',
      'Een afspraak kan tot een dag van tevoren telefonisch worden afgezegd.',
      'De verzendkosten bedragen elf euro per pakket.',
    ],
    questions: [
      ['wanneer wordt mijn geld terugbetaald', 0],
      ['ik wil mijn afspraken afzeggen', 1],
      ['wat kost het verzenden van pakketten', 2],
    ],
  },
  {
    language: 'no',
    texts: [
      'Pengene tilbakebetales til kortet innen ni virkedager.',
      'En time kan avbestilles på telefon senest dagen før.',
      'Frakten koster elleve euro per pakke.',
    ],
    questions: [
      ['når får jeg tilbakebetalingen', 0],
      ['jeg vil avbestille timen min', 1],
      ['hva er fraktkostnaden for pakkene', 2],
    ],
  },
  {
    language: 'pl',
    texts: [
      'Należność oddajemy przelewem w ciągu dziewięciu dni.',
      'Rezerwację stolika można anulować przez telefon do południa.',
      'Przewóz roweru pociągiem kosztuje jedenaście złotych.',
    ],
    questions: [
      ['kiedy oddacie mi należności', 0],
      ['anulowanie rezerwacji stolików', 1],
      ['ile kosztują przewozy rowerów', 2],
    ],
  },
  {
    language: 'pt',
    texts: [
      'Os reembolsos são feitos no cartão em nove dias úteis.',
      'A consulta pode ser cancelada por telefone até à véspera.',
      'Os portes de envio são de onze euros por encomenda.',
    ],
    questions: [
      ['quando serei reembolsado', 0],
      ['queria cancelar as minhas consultas', 1],
      ['quanto custa enviar encomendas', 2],
    ],
  },
  {
    language: 'ro',
    texts: [
      'Banii se returnează pe card în nouă zile lucrătoare.',
      'Programarea se poate anula la telefon cu o zi înainte.',
      'Livrarea costă unsprezece euro pentru fiecare colet.',
    ],
    questions: [
      ['când primesc returnarea banilor pe cardul meu', 0],
      ['vreau să anulez programările', 1],
      ['cât costă livrările coletelor', 2],
    ],
  },
  {
    language: 'ru',
    texts: [
      'Возврат денег на карту занимает девять рабочих дней.',
      'Записанный приём можно отменить по телефону за сутки.',
      'Стоимость доставки составляет одиннадцать евро за посылку.',
    ],
    questions: [
      ['когда вернут деньги, сроки возврата', 0],
      ['отмена записи на приём', 1],
      ['сколько стоит доставить посылки', 2],
    ],
  },
  {
    language: 'sk',
    texts: [
      'Peniaze vraciame zákazníkovi na kartu do deviatich pracovných dní.',
      'Objednanú návštevu možno zrušiť telefonicky deň vopred.',
      'Poštovné je jedenásť eur za balík.',
    ],
    questions: [
      ['kedy dostanem vrátené peniaze na svoju kartu', 0],
      ['chcem zrušenie návštevy', 1],
      ['koľko platím poštovného za balíky', 2],
    ],
  },
  {
    language: 'sv',
    texts: [
      'Pengarna återbetalas till kortet inom nio arbetsdagar.',
      'En bokad tid kan avbokas per telefon senast dagen före.',
      'Frakten kostar elva euro per paket.',
    ],
    questions: [
      ['när kommer återbetalningen på mitt kort', 0],
      ['avbokning av tider', 1],
      ['vad är fraktkostnaden för paketen', 2],
    ],
  },
  {
    language: 'ta',
    texts: [
      'பணம் ஒன்பது வேலை நாட்களில் அட்டைக்குத் திருப்பித் தரப்படும்.',
      'சந்திப்பை ஒரு நாள் முன்பு தொலைபேசியில் ரத்து செய்யலாம்.',
      'பொதி ஒன்றுக்கு அனுப்பும் கட்டணம் பதினொரு யூரோ.',
    ],
    questions: [
      ['என் அட்டையில் பணத்தைத் திருப்பி எப்போது தருவீர்கள்', 0],
      ['சந்திப்புகளை ரத்து செய்ய வேண்டும்', 1],
      ['பொதிகளுக்கு என்ன கட்டணங்கள்', 2],
    ],
  },
  {
    language: 'th',
    texts: ['คืนเงินเข้าบัตรภายในเก้าวันทำการ', 'ยกเลิกการนัดหมายทางโทรศัพท์ได้ล่วงหน้าหนึ่งวัน', 'ค่าจัดส่งพัสดุชิ้นละสิบเอ็ดยูโร'],
    questions: [
      ['จะได้เงินคืนเข้าบัตรเมื่อไหร่', 0],
      ['ขอยกเลิกนัดหมาย', 1],
      ['จัดส่งพัสดุราคาเท่าไร', 2],
    ],
  },
  {
    language: 'tr',
    texts: [
      'Para iadesi dokuz iş günü içinde karta yapılır.',
      'Randevu bir gün önceden telefonla iptal edilebilir.',
      'Kargo ücreti koli başına on bir avrodur.',
    ],
    questions: [
      ['paramı kartıma ne zaman iade edersiniz', 0],
      ['randevumu iptal ettirmek istiyorum', 1],
      ['kolilerin kargosu kaç avro', 2],
    ],
  },
  {
    language: 'uk',
    texts: [
      "Повернення коштів на картку триває дев'ять робочих днів.",
      'Записаний прийом можна скасувати телефоном за добу.',
      'Вартість доставки становить одинадцять євро за посилку.',
    ],
    questions: [
      ['коли повернуть кошти на мою карту', 0],
      ['хочу скасування прийому', 1],
      ['скільки коштує доставити посилки', 2],
    ],
  },
  {
    language: 'vi',
    texts: [
      'Tiền được hoàn vào thẻ trong chín ngày làm việc.',
      'Lịch hẹn có thể hủy qua điện thoại trước một ngày.',
      'Phí giao hàng là mười một euro cho mỗi gói.',
    ],
    questions: [
      ['bao giờ hoàn tiền vào thẻ', 0],
      ['tôi muốn huỷ lịch hẹn', 1],
      ['phí giao gói hàng bao nhiêu', 2],
    ],
  },
  {
    language: 'zh',
    texts: ['退款将在九个工作日内退回银行卡。', '预约可以提前一天打电话取消。', '每个包裹的运费是十一欧元。'],
    questions: [
      ['什么时候能收到退款', 0],
      ['我想取消预约', 1],
      ['寄包裹运费多少钱', 2],
    ],
  },
];
