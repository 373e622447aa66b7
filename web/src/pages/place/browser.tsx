import '../../places/places.css'
import './place.css'
